import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import { type Attack, isHeld, isWithin, type Measure, type Outcome } from "./attack.ts";

/** The result of one attack. */
export interface Report {
  readonly attack: Pick<Attack, "name" | "title" | "promise">;
  readonly outcome: Outcome;
  readonly seconds: number;
}

const COLUMNS: readonly TableColumn[] = [
  { heading: "Attack", align: "left" },
  { heading: "Offered", align: "right" },
  { heading: "Accepted", align: "right" },
  { heading: "Measure", align: "left" },
  { heading: "Value", align: "right" },
  { heading: "Baseline", align: "right" },
  { heading: "Promised", align: "left" },
  { heading: "Held?", align: "left" },
];

/** A table with a line for each measure, and below it the promises that broke. */
export function formatReports(reports: readonly Report[]): readonly string[] {
  const broken = reports.filter(({ outcome }) => !isHeld(outcome));
  return [
    ...formatTable(COLUMNS, reports.flatMap(rowsOf)),
    "",
    ...broken.map(
      ({ attack, outcome }) => `${attack.name} ${whyBroken(outcome)}: ${attack.promise}`,
    ),
    `${reports.length - broken.length} of ${reports.length} promises held.`,
  ];
}

/** The reports as one JSON value. */
export function reportsAsJson(reports: readonly Report[]): string {
  const values = reports.map(({ attack: { name, title, promise }, outcome, seconds }) => ({
    name,
    title,
    promise,
    held: isHeld(outcome),
    seconds: Math.round(seconds * 10) / 10,
    ...outcome,
  }));
  return JSON.stringify(values, null, 2);
}

function rowsOf({ attack, outcome }: Report): readonly (readonly string[])[] {
  return outcome.measures.map((measure, index) => [
    index === 0 ? attack.name : "",
    index === 0 ? String(outcome.offered) : "",
    index === 0 ? String(outcome.accepted) : "",
    measure.name,
    `${formatNumber(measure.value)} ${measure.unit}`,
    measure.baseline === undefined ? "" : formatNumber(measure.baseline),
    formatBound(measure),
    isWithin(measure) ? "yes" : "NO",
  ]);
}

function formatBound({ atMost, atLeast }: Measure): string {
  if (atMost !== undefined) return `at most ${formatNumber(atMost)}`;
  return atLeast === undefined ? "" : `at least ${formatNumber(atLeast)}`;
}

function whyBroken({ what, offered, leastOffered }: Outcome): string {
  return offered < leastOffered
    ? `offered too little (${offered} of ${leastOffered} ${what})`
    : "broke its promise";
}

function formatNumber(value: number): string {
  return value < 100 && !Number.isInteger(value)
    ? value.toFixed(1)
    : Math.round(value).toLocaleString("en");
}
