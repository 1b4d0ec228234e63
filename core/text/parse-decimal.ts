/**
 * Parses a typed number: a comma is a decimal point, any minus sign counts. Returns undefined for empty text, and NaN
 * if it is not a number.
 */
export function parseDecimal(typed: string): number | undefined {
  const text = typed.trim().replace(",", ".").replace(/^[−–]/, "-");
  if (text === "") return undefined;
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
