import { forEachConcurrently } from "../../addon/packages/for-each-concurrently.ts";
import { DiskError } from "../../addon/disk/disk-error.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { countOf } from "../../core/text/count-of.ts";
import { onOneLine } from "../../core/text/shorten.ts";
import { type FolderPackage, readPackageFolder } from "./read-package-folder.ts";

/** A task for every package of a run. */
export interface LibraryTask<Report extends PackageReport = PackageReport> {
  readonly report: (folderPackage: FolderPackage) => Report | Promise<Report>;
  /** Reports a folder that can't be used. */
  readonly reportBroken: (broken: BrokenFolder) => Report | Promise<Report>;
  /** Every possible verdict, in the order of the summary. */
  readonly verdicts: readonly string[];
}

/** The result of one package. */
export interface PackageReport {
  /** The value that is printed with the folder (rule K5). */
  readonly json: object;
  /** Text for people; undefined if there is nothing to say. */
  readonly text: string | undefined;
  /** One of the task's, or `BROKEN`; counted in the summary. */
  readonly verdict: string;
  readonly isGood: boolean;
  /** A sentence on what to do about it; the same one is said once. */
  readonly advice?: string;
}

/** The verdict on a package that can't be used; last in the summary. */
export const BROKEN = "broken";

/** The result of a run. */
export interface LibraryRun<Report extends PackageReport = PackageReport> {
  /** The value for programs (rule K5). */
  readonly json: { readonly packages: readonly object[] };
  /** Text for people: each package's text, then the summary. */
  readonly text: string;
  /** The summary, such as `3 packages, 9 sounds: 3 match.` */
  readonly summary: string;
  readonly exitStatus: LibraryStatus;
  readonly reports: readonly Report[];
}

/** All are good, some aren't, or a path has no package (rule B8). */
export type LibraryStatus = 0 | 1 | 2;

/** Reports a folder that can't be used, for tasks that have no more to say about it. */
export function reportBroken({ folder, ...broken }: BrokenFolder): PackageReport {
  const text = onOneLine(`${folder}: ${broken.error}`);
  return { json: broken, text, verdict: BROKEN, isGood: false };
}

/**
 * Runs a task on every package, in the order of the folders; a failure doesn't stop the others (rule B4).
 * @param signal stops between two packages
 * @throws {unknown} the signal's reason
 */
export async function runLibrary<Report extends PackageReport>(
  folders: readonly string[],
  task: LibraryTask<Report>,
  signal?: AbortSignal,
): Promise<LibraryRun<Report>> {
  let sounds = 0;
  const report = async (folderPackage: FolderPackage): Promise<Report> => {
    const made = await task.report(folderPackage);
    sounds += folderPackage.layout.tracks.length;
    return made;
  };
  const outcomes = await readLibrary(folders, report, signal);
  const reports: Report[] = [];
  for (const outcome of outcomes) {
    reports.push("error" in outcome ? await task.reportBroken(outcome) : outcome.result);
  }
  const parts = [...task.verdicts, BROKEN].flatMap((verdict) => {
    const count = reports.filter((made) => made.verdict === verdict).length;
    return count > 0 ? [`${count} ${verdict}`] : [];
  });
  const heading = `${countOf(folders.length, "package")}, ${countOf(sounds, "sound")}`;
  const summary = `${heading}: ${parts.join(", ")}.`;
  const advice = new Set(reports.flatMap((made) => made.advice ?? []));
  const isGood = reports.every((made) => made.isGood);
  return {
    json: { packages: reports.map(({ json }, index) => ({ folder: folders[index], ...json })) },
    text: [...reports.flatMap(({ text }) => text ?? []), summary, ...advice].join("\n"),
    summary,
    exitStatus: statusOf(outcomes) || (isGood ? 0 : 1),
    reports,
  };
}

/** Packages processed at once: enough to keep the disk busy, few enough for memory. */
const CONCURRENCY = 16;

/** The result of one package of a library. */
type PackageOutcome<Result> = { readonly folder: string; readonly result: Result } | BrokenFolder;

/** A folder that can't be used. */
export interface BrokenFolder {
  readonly folder: string;
  /** A sentence that says why. */
  readonly error: string;
  /** `NO_PACKAGE`: the path is mistyped. */
  readonly code?: string;
}

/** Returns the status of a run in which every package that could be read is good. */
export function statusOf(outcomes: readonly PackageOutcome<unknown>[]): LibraryStatus {
  const broken = outcomes.filter((outcome) => "error" in outcome);
  if (broken.some(({ code }) => code === "NO_PACKAGE")) return 2;
  return broken.length === 0 ? 0 : 1;
}

/**
 * Reads and processes every package; one that can't be read doesn't stop the others.
 * @param folders as `findPackages` returns them
 * @param signal stops between two packages
 * @returns in the order of the folders
 * @throws {unknown} the signal's reason
 */
export async function readLibrary<Result>(
  folders: readonly string[],
  work: (folderPackage: FolderPackage) => Result | Promise<Result>,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly PackageOutcome<Result>[]> {
  const outcomes: PackageOutcome<Result>[] = [];
  const read = async ([index, folder]: readonly [number, string]): Promise<void> => {
    outcomes[index] = await readOne(folder, work);
  };
  await forEachConcurrently([...folders.entries()], signal, read, CONCURRENCY);
  return outcomes;
}

async function readOne<Result>(
  folder: string,
  work: (folderPackage: FolderPackage) => Result | Promise<Result>,
): Promise<PackageOutcome<Result>> {
  try {
    return { folder, result: await work(await readPackageFolder(folder)) };
  } catch (error) {
    if (!isOfThePackage(error)) throw error;
    const code = error instanceof LocalPackageError ? error.code : undefined;
    return { folder, error: error.message, ...(code !== undefined && { code }) };
  }
}

/** Checks whether the package or its disk is at fault, not this program. */
export function isOfThePackage(error: unknown): error is Error {
  return (
    [LocalPackageError, Refusal, DiskError].some((kind) => error instanceof kind) ||
    (error instanceof Error && "syscall" in error)
  );
}
