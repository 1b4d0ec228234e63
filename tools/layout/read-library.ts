import { forEachConcurrently } from "../../addon/concurrency/for-each-concurrently.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { type FolderPackage, readPackageFolder } from "./read-package-folder.ts";

/** Packages that are worked on at the same time: as many as keep the disk busy, few enough to hold. */
const LANES = 16;

/** What came of one package of a library. */
export type PackageOutcome<Result> =
  | { readonly folder: string; readonly result: Result }
  /** A folder that can't be used, with the sentence that says why. */
  | { readonly folder: string; readonly error: string };

/**
 * Reads every package and works on it; a package that can't be read stops none of the others. No
 * package is held for longer than its work takes.
 * @param folders as `findPackages` gives them
 * @param signal ends the work between two packages: what was begun is done
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
  await forEachConcurrently([...folders.entries()], signal, read, LANES);
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

/** Whether a package is at fault, or the disk it lies on, and not this program. */
function isOfThePackage(error: unknown): error is Error {
  return (
    error instanceof LocalPackageError ||
    error instanceof Refusal ||
    (error instanceof Error && "syscall" in error)
  );
}
