import { forEachConcurrently } from "../../addon/packages/for-each-concurrently.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { countOf } from "../../core/text/count-of.ts";
import { onOneLine } from "../../core/text/shorten.ts";
import { type FolderPackage, readPackageFolder } from "./read-package-folder.ts";

/** A task for every package of a run. */
export interface LibraryTask {
  readonly report: (folderPackage: FolderPackage) => PackageReport | Promise<PackageReport>;
  /** Every possible verdict, in the order of the summary. */
  readonly verdicts: readonly string[];
}

/** The result of one package. */
export interface PackageReport {
  /** The value that is printed with the folder (rule K5). */
  readonly json: object;
  /** Text for people; undefined if there is nothing to say. */
  readonly text: string | undefined;
  /** One of the task's, counted in the summary. */
  readonly verdict: string;
  readonly isGood: boolean;
  /** A sentence on what to do about it; the same one is said once. */
  readonly advice?: string;
}

/** The verdict on a package that can't be used; last in the summary. */
const BROKEN = "broken";

/** The result of a run. */
export interface LibraryRun {
  /** The value for programs (rule K5). */
  readonly json: { readonly packages: readonly object[] };
  /** Text for people: each package's text, then the summary. */
  readonly text: string;
  readonly exitStatus: LibraryStatus;
}

/** All are good, some aren't, or a path has no package (rule B8). */
export type LibraryStatus = 0 | 1 | 2;

/**
 * Runs a task on every package, in the order of the folders; a failure doesn't stop the others (rule B4).
 * @param signal stops between two packages
 * @throws {unknown} the signal's reason
 */
export async function runLibrary(
  folders: readonly string[],
  task: LibraryTask,
  signal?: AbortSignal,
): Promise<LibraryRun> {
  const counts = new Map([...task.verdicts, BROKEN].map((verdict) => [verdict, 0]));
  const count = (verdict: string) => counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  let sounds = 0;
  let isGood = true;
  const advice = new Set<string>();
  const report = async (folderPackage: FolderPackage): Promise<PackageReport> => {
    const made = await task.report(folderPackage);
    sounds += folderPackage.layout.tracks.length;
    isGood &&= made.isGood;
    if (made.advice !== undefined) advice.add(made.advice);
    count(made.verdict);
    return made;
  };
  const outcomes = await readLibrary(folders, report, signal);
  const packages: object[] = [];
  const texts: string[] = [];
  for (const outcome of outcomes) {
    const { folder } = outcome;
    if ("error" in outcome) {
      count(BROKEN);
      packages.push(outcome);
      texts.push(onOneLine(`${folder}: ${outcome.error}`));
    } else {
      packages.push({ folder, ...outcome.result.json });
      if (outcome.result.text !== undefined) texts.push(outcome.result.text);
    }
  }
  const parts = [...counts].filter(([, n]) => n > 0).map(([verdict, n]) => `${n} ${verdict}`);
  const heading = `${countOf(folders.length, "package")}, ${countOf(sounds, "sound")}`;
  texts.push(`${heading}: ${parts.join(", ")}.`);
  texts.push(...advice);
  return {
    json: { packages },
    text: texts.join("\n"),
    exitStatus: statusOf(outcomes) || (isGood ? 0 : 1),
  };
}

/** Packages processed at once: enough to keep the disk busy, few enough for memory. */
const CONCURRENCY = 16;

/** The result of one package of a library. */
type PackageOutcome<Result> =
  | { readonly folder: string; readonly result: Result }
  /** `error` says why the folder can't be used; `NO_PACKAGE`: the path is mistyped. */
  | { readonly folder: string; readonly error: string; readonly code?: string };

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
function isOfThePackage(error: unknown): error is Error {
  return (
    error instanceof LocalPackageError ||
    error instanceof Refusal ||
    (error instanceof Error && "syscall" in error)
  );
}
