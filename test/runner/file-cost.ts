import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of a file and of the processes that it started and that have ended. */
    processorMs?: number;
  }
}

declare global {
  /** Until the end of the file before, in this worker. */
  var processorMsBefore: number | undefined;
}

/** Length of one tick of Linux, in milliseconds. */
const TICK_MS = 10;

/** Measures the file of tests that is loaded, in a hook after all others. */
export function measureFile(): void {
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there what a hook needs
  afterAll(({}, { file }) => {
    const now = processorMs();
    file.meta.processorMs = now - (globalThis.processorMsBefore ?? 0);
    globalThis.processorMsBefore = now;
  });
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenMs();
}

/** Only Linux says it. */
function endedChildrenMs(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The second field is a name in brackets that may have spaces; these are the 16th and the 17th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
