/** Rows rendered above and below those in view. */
const OVERSCAN = 6;

/** The indexes to render when `rows` rows from `first` on are in view. */
export function windowOf(options: {
  readonly first: number;
  readonly rows: number;
  readonly count: number;
  readonly kept: number;
}): readonly number[] {
  const { first, rows, count, kept } = options;
  const from = Math.max(0, Math.min(first, count) - OVERSCAN);
  const to = Math.min(count, first + rows + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  if (kept < 0 || kept >= count || (kept >= from && kept < to)) return indexes;
  return kept < from ? [kept, ...indexes] : [...indexes, kept];
}
