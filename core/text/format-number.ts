import type { Translate } from "../messages/translate.ts";

/**
 * Formats a non-negative number for display: at most `decimals` decimals, no trailing zeros. A nonzero number
 * that would round to 0 keeps its first digit, such as `0.00002`.
 */
export function formatNumber(n: number, decimals = 3): string {
  const rounded = Number(n.toFixed(decimals));
  return rounded === 0 && n !== 0 ? n.toPrecision(1) : String(rounded);
}

/** Formats a size in decimal units: `900 B`, `12 kB`, `3.4 MB`, `1.2 GB`. */
export function formatBytes(t: Translate, bytes: number): string {
  if (bytes < 1000) return t("format.bytes", { value: bytes });
  if (bytes < 999_500) return t("format.kilobytes", { value: Math.round(bytes / 1000) });
  if (bytes < 999_950_000) return t("format.megabytes", { value: tenths(bytes / 1_000_000) });
  return t("format.gigabytes", { value: tenths(bytes / 1_000_000_000) });
}

function tenths(n: number): number {
  return Math.round(n * 10) / 10;
}

/**
 * Parses a typed number: a comma is a decimal point, any minus sign counts. Returns undefined for empty text, and NaN
 * if it is not a number.
 */
export function parseDecimal(typed: string): number | undefined {
  const text = typed.trim().replace(",", ".").replace(/^[−–]/, "-");
  if (text === "") return undefined;
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
