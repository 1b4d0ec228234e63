/**
 * A number of 0 or above for people: at most `decimals` decimals, no zeros at the end. What would
 * round to 0 without being 0 keeps its first digit instead, such as `0.00002`.
 */
export function formatNumber(n: number, decimals = 3): string {
  const rounded = Number(n.toFixed(decimals));
  return rounded === 0 && n !== 0 ? n.toPrecision(1) : String(rounded);
}
