/**
 * Returns the row that a key press moves to; null for other keys.
 * @param index the row that the focus is on; -1 for none
 */
export function rowOfKey(
  key: string,
  index: number,
  { count, pageRows }: { readonly count: number; readonly pageRows: number },
): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -pageRows,
    PageDown: pageRows,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  if (step === undefined || count === 0) return null;
  const from = index < 0 && step > 0 && step < count ? -1 : Math.max(0, index);
  return Math.max(0, Math.min(count - 1, from + step));
}

/** Number of rows rendered above and below those in view. */
const OVERSCAN = 6;

/** Returns the indexes to render while `rows` rows from `first` on are in view. */
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
