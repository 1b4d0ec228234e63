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
  /** Name of the created track; absent for a sound that was only saved. */
  readonly track?: string;
  /** Name of the file on the importer's disk, not the manifest's `file`; absent if it wasn't fetched. */
  readonly file?: string;
  /** Path of that file below the importer's sounds folder, with `/`, such as `Kitchen Kit/Kick.wav`. */
  readonly path?: string;
  readonly notes?: readonly string[];
  readonly differences?: readonly Difference[];
  /** The reason why it isn't in the host. */
  readonly error?: string;
}

/** The `error` of a sound that a person left out of an import; the same at every host (rule R10). */
export const NOT_SELECTED = "Not selected in Live.";
/** The `error` of every sound of a package that a person dismissed; the same at every host (rule R12). */
export const DISMISSED = "Dismissed in Live.";

/** The name of the host that only saves (rule R16). */
export const SAVING_HOST = "folder";
/** The note of a sound that was saved because no host answered; the same at every importer (rule S3). */
export const SAVED_AS_FILES = "Saved as files; not placed in a Set.";

/** Checks whether a sound is on a disk, but in no host's session. */
export function isSaved({ notes = [] }: Pick<SoundResult, "notes">): boolean {
  return notes.includes(SAVED_AS_FILES);
}

/**
 * Checks whether a package's sounds are on a disk, but none is in a host's session.
 * @param results by sound id, or in a list
 */
export function isOnlySaved(
  results: Readonly<Record<string, KnownResult>> | readonly KnownResult[] | undefined,
): boolean {
  const imported = Object.values(results ?? {}).filter(({ status }) => status === "imported");
  return imported.length > 0 && imported.every(isSaved);
}

type KnownResult = Pick<SoundResult, "status" | "notes">;

/** A setting for which the host holds a value other than the requested one. */
export interface Difference {
  readonly setting: string;
  readonly asked: Setting;
  readonly got: Setting;
}
export type Setting = string | number | boolean | null;

/** Results by sound id, in an object without prototype, so any id is a safe key. */
export type SoundResults = Readonly<Record<string, SoundResult>>;

/** Returns the package's status after a report (rule S3). Sounds without a result count as failed. */
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

/** Builds the report of a dismissed package (rule R12), in an object without prototype. */
export function dismissedResults(soundIds: readonly string[]): SoundResults {
  const results: Record<string, SoundResult> = Object.create(null);
  for (const id of soundIds) results[id] = { status: "skipped", error: DISMISSED };
  return results;
}

/** Checks whether a report says only that the package was dismissed. */
export function isDismissal(results: SoundResults | undefined): boolean {
  const all = Object.values(results ?? {});
  return (
    all.length > 0 && all.every(({ status, error }) => status === "skipped" && error === DISMISSED)
  );
}
