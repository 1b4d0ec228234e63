/**
 * The row that a key press moves to, in lists of pages and clips alike; null for other keys.
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
