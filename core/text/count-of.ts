/** Formats a count with its noun: `1 sound`, `2 sounds`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
