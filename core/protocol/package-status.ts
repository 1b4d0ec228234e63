/** The states that the public API shows (rules S1, S3, S4). */
export const PACKAGE_STATUSES = [
  "uploading",
  "waiting",
  "imported",
  "partial",
  "failed",
  "expired",
] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** What became of one sound (rule S7). */
export interface SoundResult {
  readonly status: "imported" | "skipped" | "failed";
  /** Name of the track that was made. */
  readonly track?: string;
  /** Name of the file on disk. */
  readonly file?: string;
  readonly notes?: readonly string[];
  readonly differences?: readonly Difference[];
  /** Why it is not in the host. */
  readonly error?: string;
}

/** A setting that differs in the host from what was asked. */
export interface Difference {
  readonly setting: string;
  readonly asked: Setting;
  readonly got: Setting;
}
export type Setting = string | number | boolean | null;

/** Results keyed by sound id; an object without prototype, so that any id is safe as a key. */
export type SoundResults = Readonly<Record<string, SoundResult>>;

/**
 * The package's state after a report (rule S3): all imported, some, or none. Sounds that the report
 * leaves out count as failed.
 */
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
