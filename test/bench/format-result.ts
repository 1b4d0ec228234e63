import { formatTable, type TableColumn } from "../../core/text/text-table.ts";
import type { BenchResult, Figure } from "./bench-result.ts";
import { median } from "./rounds.ts";

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
    `${Math.round(peakMb)} MB`,
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
  const goal = atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
  const isMet = value >= atLeast && value <= atMost;
  const verdict = isShort ? "not judged in a short run" : isMet ? "met" : "MISSED";
  return `${name}: ${value.toFixed(2)} (wanted: ${goal}; ${verdict})`;
}

function formatNumber(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
