import { formatTable, type TableColumn } from "../../core/text/text-table.ts";
import { type BenchResult, type Figure, median } from "./bench-result.ts";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

const COLUMNS: readonly TableColumn[] = [
  { heading: "Side", align: "left" },
  { heading: "Median", align: "right" },
  { heading: "Least", align: "right" },
  { heading: "Most", align: "right" },
  { heading: "Unit", align: "left" },
  { heading: "Values", align: "right" },
  { heading: "Peak memory", align: "right" },
];

/** Formats a result for a terminal. A short run is not judged: it has too few rounds. */
export function formatResult(result: BenchResult, { isShort }: { readonly isShort: boolean }) {
  const { name, task, sides, figures, notes } = result;
  const rows = sides.map(({ name: side, values, unit, peakMb }) => [
    side,
    formatNumber(median(values)),
    formatNumber(Math.min(...values)),
    formatNumber(Math.max(...values)),
    unit,
    String(values.length),
    Number.isNaN(peakMb) ? "" : `${Math.round(peakMb)} MB`,
  ]);
  return [
    `${name}: ${task}`,
    ...[
      ...formatTable(COLUMNS, rows),
      ...figures.map((figure) => formatFigure(figure, isShort)),
      ...notes,
    ].map((line) => `  ${line}`),
    "",
  ];
}

function formatFigure(figure: Figure, isShort: boolean): string {
  const { name, value, atLeast = -Infinity, atMost = Infinity } = figure;
  if (atLeast === -Infinity && atMost === Infinity) return `${name}: ${value.toFixed(2)} (quoted)`;
  const goal = atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
  const isMet = value >= atLeast && value <= atMost;
  const verdict = isShort ? "not judged in a short run" : isMet ? "met" : "MISSED";
  return `${name}: ${value.toFixed(2)} (wanted: ${goal}; ${verdict})`;
}

function formatNumber(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

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
