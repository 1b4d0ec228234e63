import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** The machine that produced the figures. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The load average of the minute before; null if the system doesn't report it. */
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

/** Formats the machine for a terminal, with a warning if it is busy. */
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
