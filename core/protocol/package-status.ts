/** The states of the public API (rules S1, S3, S4). */
export const PACKAGE_STATUSES = [
  "uploading",
  "waiting",
  "imported",
  "partial",
  "failed",
  "expired",
] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** The result of one sound (rule S7). */
export interface SoundResult {
  readonly status: "imported" | "skipped" | "failed";
  /** Name of the created track. */
  readonly track?: string;
  /** Name of the file on disk. */
  readonly file?: string;
  readonly notes?: readonly string[];
  readonly differences?: readonly Difference[];
  /** Why it isn't in the host. */
  readonly error?: string;
}

/** A setting for which the host holds a value other than the requested one. */
export interface Difference {
  readonly setting: string;
  readonly asked: Setting;
  readonly got: Setting;
}
export type Setting = string | number | boolean | null;

/** Results by sound id, in an object without prototype, so any id is a safe key. */
export type SoundResults = Readonly<Record<string, SoundResult>>;

/** The package's status after a report (rule S3). Sounds without a result count as failed. */
export function statusOfResults(
  soundIds: readonly string[],
  results: SoundResults,
): "imported" | "partial" | "failed" {
  const imported = soundIds.filter(
    (id) => Object.hasOwn(results, id) && results[id]?.status === "imported",
  ).length;
  if (imported === soundIds.length) return "imported";
  return imported > 0 ? "partial" : "failed";
}
