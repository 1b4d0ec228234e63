import { forEachConcurrently } from "../../addon/packages/for-each-concurrently.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { type FolderPackage, readPackageFolder } from "./read-package-folder.ts";

/** Packages processed at once: enough to keep the disk busy, few enough for memory. */
const CONCURRENCY = 16;

/** The result of one package of a library. */
export type PackageOutcome<Result> =
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

/** Whether the package or its disk is at fault, not this program. */
function isOfThePackage(error: unknown): error is Error {
  return (
    error instanceof LocalPackageError ||
    error instanceof Refusal ||
    (error instanceof Error && "syscall" in error)
  );
}
