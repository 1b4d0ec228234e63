import type { Row } from "../storage/records/rows.ts";

/** One page of a list, in the order of its ids. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Id after which the list continues; null at the end. */
  readonly next: string | null;
}

/** The position and size of a page. */
export interface PageOf {
  /** Id, or number of the log, after which the page begins; at the start without it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Formats the times of a row as UTC: its columns `at` and `…_at` in milliseconds since 1970. */
export function withTimes(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const isTime = /(^|_)at$/.test(name) && typeof value === "number";
    return [name, isTime ? timeOf(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Formats milliseconds since 1970 as UTC. */
export function timeOf(time: number): string {
  return new Date(time).toISOString();
}
