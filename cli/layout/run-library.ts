import { forEachConcurrently } from "../../addon/packages/for-each-concurrently.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { countOf } from "../../core/text/count-of.ts";
import { onOneLine } from "../../core/text/shorten.ts";
import { type FolderPackage, readPackageFolder } from "./read-package-folder.ts";

/** A task for every package of a run. */
export interface LibraryTask<Report extends PackageReport = PackageReport> {
  readonly report: (folderPackage: FolderPackage) => Report | Promise<Report>;
  /** Reports a folder that can't be used. @param error a sentence */
  readonly reportBroken: (folder: string, error: string) => Report | Promise<Report>;
  /** Every possible verdict, in the order of the summary. */
  readonly verdicts: readonly string[];
  /** A sentence on what to do about packages that are not good. */
  readonly advice?: string;
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
  readonly isGood: boolean;
  readonly reports: readonly Report[];
}

/** Reports a folder that can't be used, for tasks that have no more to say about it. */
export function reportBroken(folder: string, error: string): PackageReport {
  const text = onOneLine(`${folder}: ${error}`);
  return { json: { error }, text, verdict: BROKEN, isGood: false };
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
  const reports: Report[] = [];
  const packages: object[] = [];
  for (const outcome of await readLibrary(folders, report, signal)) {
    const { folder } = outcome;
    const made =
      "error" in outcome ? await task.reportBroken(folder, outcome.error) : outcome.result;
    reports.push(made);
    packages.push({ folder, ...made.json });
  }
  const parts = [...task.verdicts, BROKEN].flatMap((verdict) => {
    const count = reports.filter((made) => made.verdict === verdict).length;
    return count > 0 ? [`${count} ${verdict}`] : [];
  });
  const heading = `${countOf(folders.length, "package")}, ${countOf(sounds, "sound")}`;
  const summary = `${heading}: ${parts.join(", ")}.`;
  const needsAdvice = reports.some(({ isGood, verdict }) => !isGood && verdict !== BROKEN);
  const advice = needsAdvice && task.advice !== undefined ? [task.advice] : [];
  return {
    json: { packages },
    text: [...reports.flatMap(({ text }) => text ?? []), summary, ...advice].join("\n"),
    summary,
    isGood: reports.every(({ isGood }) => isGood),
    reports,
  };
}

/** Packages processed at once: enough to keep the disk busy, few enough for memory. */
const CONCURRENCY = 16;

/** The result of one package of a library. */
type PackageOutcome<Result> =
  | { readonly folder: string; readonly result: Result }
  /** `error` says why the folder can't be used. */
  | { readonly folder: string; readonly error: string };

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
    return { folder, error: error.message };
  }
}

/** Checks whether the package or its disk is at fault, not this program. */
function isOfThePackage(error: unknown): error is Error {
  return (
    error instanceof LocalPackageError ||
    error instanceof Refusal ||
    (error instanceof Error && "syscall" in error)
  );
}
