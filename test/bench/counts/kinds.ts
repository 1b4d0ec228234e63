import { readFile } from "node:fs/promises";
import type { Child } from "../child.ts";
import { CALLS, type CountedCall } from "../processes/counters.ts";
import type { ProcessCounts } from "../processes/probe.ts";

/** The work of a process so far. */
export interface Done extends ProcessCounts {
  /** Undefined without `/proc`. */
  readonly io: ReadonlyMap<string, number> | undefined;
}

/** Reads what a process has done so far. */
export async function readDone(child: Child<object>): Promise<Done> {
  return { ...(await child.probe("counts")), io: await readIo(child.pid) };
}

async function readIo(pid: number): Promise<Done["io"]> {
  if (process.platform !== "linux") return undefined;
  const lines = (await readFile(`/proc/${pid}/io`, "utf8")).trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", value] = line.split(": ");
      return [name, Number(value)];
    }),
  );
}

type ReadKinds<Name extends string> = Readonly<Record<Name, (done: Done) => number>>;

/** Counts that the system keeps of a process, its sockets included. */
export const SYSTEM_KINDS = {
  "system reads": ({ io }) => io?.get("syscr") ?? NaN,
  "system writes": ({ io }) => io?.get("syscw") ?? NaN,
  "bytes read": ({ io }) => io?.get("rchar") ?? NaN,
  "bytes written": ({ io }) => io?.get("wchar") ?? NaN,
} satisfies ReadKinds<string>;

/** Bytes that JavaScript allocates, without those of buffers. They differ between versions of Node. */
export const MEMORY_KINDS = {
  "bytes allocated": ({ allocated }) => allocated,
  "bytes allocated in threads": ({ allocatedInThreads }) => allocatedInThreads,
} satisfies ReadKinds<string>;

export const CALL_KINDS = Object.fromEntries(
  CALLS.map((call) => [call, (done: Done) => done.calls?.[call] ?? NaN]),
) as ReadKinds<CountedCall>;

/** The kinds of counts, by the name that tables show. Each is NaN where it can't be counted. */
export const KINDS = { ...SYSTEM_KINDS, ...CALL_KINDS, ...MEMORY_KINDS };
export type Kind = keyof typeof KINDS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record above
export const KIND_NAMES = Object.keys(KINDS) as Kind[];
