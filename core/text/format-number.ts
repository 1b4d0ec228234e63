/**
 * A non-negative number for display: at most `decimals` decimals, no trailing zeros. A nonzero number
 * that would round to 0 keeps its first digit, such as `0.00002`.
 */
export function formatNumber(n: number, decimals = 3): string {
  const rounded = Number(n.toFixed(decimals));
  return rounded === 0 && n !== 0 ? n.toPrecision(1) : String(rounded);
}
