import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { type Finding, ok, wrong } from "./finding.ts";

/** A port that must be free. */
export interface PortRequest {
  /** The finding's id, such as `relay-port`. */
  readonly check: string;
  /** The port's name at the start of a sentence, such as `The relay's port`. */
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
  if (problem === undefined) return ok(check, `${name}, ${port}, is free.`);
  if (problem !== "EADDRINUSE") {
    const sentence = `${name}, ${port}, can't be used on ${host} (${problem}).`;
    return wrong(check, sentence, `Choose another with ${variable}.`);
  }
  const owner = await findPortOwner(port);
  const expected = await request.recognize(owner?.pid);
  if (expected !== undefined) return ok(check, `${name}, ${port}: ${expected}.`);
  const who =
    owner === undefined
      ? "another process"
      : `process ${owner.pid}${owner.program === undefined ? "" : ` (${owner.program})`}`;
  const advice = `End that process, or choose another port with ${variable}.`;
  return wrong(check, `${name}, ${port}, is in use by ${who}.`, advice);
}

async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

const run = promisify(execFile);

/** A process that listens on a port. */
interface PortOwner {
  readonly pid: number;
  /** Its name, if the system says it. */
  readonly program: string | undefined;
}

/** The process that listens on a TCP port; undefined if the system doesn't say. */
async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    if (process.platform === "linux") return await findByProc(port);
    if (process.platform === "win32") {
      return parseNetstat((await run("netstat", ["-ano", "-p", "TCP"])).stdout, port);
    }
    const { stdout } = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
    return parseLsof(stdout);
  } catch {
    // Without the rights or the tool, the owner stays unknown.
    return undefined;
  }
}

async function findByProc(port: number): Promise<PortOwner | undefined> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => parseProcNet(table, port)));
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const handle of handles) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => "");
      if (!sockets.has(target)) continue;
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      return { pid: Number(pid), program: name.trim() || undefined };
    }
  }
  return undefined;
}

/** Finds a port's listening sockets in `/proc/net/tcp`, as `/proc/<pid>/fd` links to them. */
export function parseProcNet(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const LISTENING = "0A";
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(wanted) && state === LISTENING)
    .map((cells) => `socket:[${cells[9]}]`);
}

/** Parses the first process that `lsof -Fpc` prints. */
export function parseLsof(text: string): PortOwner | undefined {
  const pid = /^p(\d+)$/m.exec(text)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), program: /^c(.+)$/m.exec(text)?.[1] };
}

/** Parses the process that listens on a port from `netstat -ano`, in any language. */
export function parseNetstat(text: string, port: number): PortOwner | undefined {
  for (const line of text.split("\n")) {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/);
    const isListening = remote === "0.0.0.0:0" || remote === "[::]:0";
    if (protocol === "TCP" && isListening && local?.endsWith(`:${port}`)) {
      return { pid: Number(pid), program: undefined };
    }
  }
  return undefined;
}
