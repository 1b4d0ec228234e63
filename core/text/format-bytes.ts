import type { Translate } from "../messages/translate.ts";

/** A size in decimal units: `900 B`, `12 kB`, `3.4 MB`, `1.2 GB`. */
export function formatBytes(t: Translate, bytes: number): string {
  if (bytes < 1000) return t("format.bytes", { value: bytes });
  if (bytes < 999_500) return t("format.kilobytes", { value: Math.round(bytes / 1000) });
  if (bytes < 999_950_000) return t("format.megabytes", { value: tenths(bytes / 1_000_000) });
  return t("format.gigabytes", { value: tenths(bytes / 1_000_000_000) });
}

function tenths(n: number): number {
  return Math.round(n * 10) / 10;
}
