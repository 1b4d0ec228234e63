import { getEnvironmentData } from "node:worker_threads";

/** Node's functions of files by what they do, each with its forms: `rename`, `renameSync`, a file's own. */
export const FILE_CALLS = {
  "file opens": ["open", "opendir"],
  "file reads": ["read", "readv"],
  "file writes": ["write", "writev"],
  "files read or written whole": ["readFile", "writeFile", "appendFile", "copyFile"],
  flushes: ["fsync", "fdatasync", "sync", "datasync"],
  renames: ["rename", "link"],
  removals: ["unlink", "rm", "rmdir"],
  "looks at names": ["stat", "lstat", "fstat", "statfs", "access", "realpath", "readdir", "exists"],
  "new folders": ["mkdir"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type FileCall = keyof typeof FILE_CALLS;

/** Names all calls that `count-calls.ts` counts. A commit of the database is one flush. */
export type CountedCall = FileCall | "statements" | "commits";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record above
export const FILES = Object.keys(FILE_CALLS) as FileCall[];
export const CALLS: readonly CountedCall[] = [...FILES, "statements", "commits"];

/** The name of the counters among the data that a process's threads share. */
export const COUNTERS = "soundferry counters";

export function newCounters(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(CALLS.length * Int32Array.BYTES_PER_ELEMENT));
}

let known: Int32Array | undefined;

function counters(): Int32Array | undefined {
  known ??= getEnvironmentData(COUNTERS) as Int32Array | undefined;
  return known;
}

export function countCall(call: CountedCall): void {
  const all = counters();
  if (all !== undefined) Atomics.add(all, CALLS.indexOf(call), 1);
}

/** Calls of all threads so far; undefined in a process that was started without `count-calls.ts`. */
export function readCalls(): Readonly<Record<CountedCall, number>> | undefined {
  const all = counters();
  if (all === undefined) return undefined;
  const entries = CALLS.map((call, index) => [call, Atomics.load(all, index)]);
  return Object.fromEntries(entries) as Record<CountedCall, number>;
}
