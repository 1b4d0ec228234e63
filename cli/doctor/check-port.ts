import { createServer } from "node:net";
import { findPortOwner } from "./find-port-owner.ts";
import type { Finding } from "./finding.ts";

/** A port that must be free. */
export interface PortRequest {
  /** Such as `relay-port`. */
  readonly check: string;
  /** Begins a sentence, such as `The relay's port`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The setting that changes it. */
  readonly variable: string;
  /** Describes an expected owner, such as a running relay; undefined for any other process. */
  readonly recognize: (pid: number | undefined) => Promise<string | undefined>;
}

/** Checks that a port is free, or used by what belongs there. */
export async function checkPort(request: PortRequest): Promise<Finding> {
  const { check, name, host, port, variable } = request;
  const problem = port === 0 ? undefined : await tryListening(host, port);
  if (problem === undefined) {
    return { check, state: "ok", sentence: `${name}, ${port}, is free.` };
  }
  if (problem !== "EADDRINUSE") {
    return {
      check,
      state: "wrong",
      sentence: `${name}, ${port}, can't be used on ${host} (${problem}).`,
      advice: `Choose another with ${variable}.`,
    };
  }
  const owner = await findPortOwner(port);
  const expected = await request.recognize(owner?.pid);
  if (expected !== undefined) {
    return { check, state: "ok", sentence: `${name}, ${port}: ${expected}.` };
  }
  const who =
    owner === undefined
      ? "another process"
      : `process ${owner.pid}${owner.program === undefined ? "" : ` (${owner.program})`}`;
  return {
    check,
    state: "wrong",
    sentence: `${name}, ${port}, is in use by ${who}.`,
    advice: `End that process, or choose another port with ${variable}.`,
  };
}

async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
