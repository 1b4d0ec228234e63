/** On which days a device imported something. Days are whole days since 1970, UTC. */
export interface ImportHistory {
  /** On how many different days. */
  readonly days: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

const PROVEN_DAYS = 3;
const PROVEN_SPAN_DAYS = 7;

/** Imports on at least three days over a week: too slow for somebody who makes devices for an attack (rule L7). */
export function isProven(history: ImportHistory | undefined): boolean {
  if (history === undefined) return false;
  const { days, firstDay, lastDay } = history;
  return days >= PROVEN_DAYS && lastDay - firstDay >= PROVEN_SPAN_DAYS;
}
