import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Processes that wanted a core in the minute before, on average; null where the system can't tell. */
  readonly loadBefore: number | null;
}

/** The machine as it is now. */
export function readMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    loadBefore: process.platform === "win32" ? null : (loadavg()[0] ?? null),
  };
}

/** The machine as lines for a terminal, with a warning where others are at work on it. */
export function formatMachine(machine: Machine): string[] {
  const { cores, processor, memoryGb, system, node, loadBefore } = machine;
  const isLoud = loadBefore !== null && loadBefore > cores / 4;
  return [
    `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node}.`,
    ...(isLoud
      ? [`Something else is at work here (load ${loadBefore.toFixed(1)}): the figures may vary.`]
      : []),
    "",
  ];
}
