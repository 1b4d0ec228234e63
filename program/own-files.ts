import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getAsset, getAssetKeys, isSea } from "node:sea";
import { Worker } from "node:worker_threads";

// The files that the program brings along, wherever it runs from. Nothing else asks where that is.

/** A checkout runs its sources; an installed package has them compiled; the app is one file with everything inside. */
export type ProgramForm = "checkout" | "package" | "app";

export const PROGRAM_FORM: ProgramForm = formOf(import.meta.filename, isSea());

/** The checkout, or the compiled program. */
const ROOT = join(import.meta.dirname, "..");

/** @param filename of this module */
export function formOf(filename: string, isExecutable: boolean): ProgramForm {
  if (isExecutable) return "app";
  return filename.endsWith(".ts") ? "checkout" : "package";
}

/**
 * Reads one of the program's own files.
 * @param path relative to the project's root, with `/`
 * @throws {Error} if there is no such file
 */
export async function readOwnFile(path: string): Promise<Uint8Array> {
  return PROGRAM_FORM === "app" ? new Uint8Array(getAsset(path)) : readFile(join(ROOT, path));
}

/** Returns the names of the files that lie directly in a folder, sorted. */
export async function listOwnFiles(folder: string): Promise<readonly string[]> {
  const names =
    PROGRAM_FORM === "app"
      ? namesIn(folder, getAssetKeys())
      : (await readdir(join(ROOT, folder), { withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(({ name }) => name);
  return names.toSorted();
}

/** The names of the files directly in a folder, of all the paths. */
export function namesIn(folder: string, paths: readonly string[]): readonly string[] {
  const start = `${folder}/`;
  return paths
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length))
    .filter((name) => !name.includes("/"));
}

/**
 * Starts one of the program's own modules as a thread.
 * @param module its path, like `readOwnFile`'s, without the ending
 */
export function startOwnThread(module: string, workerData: unknown): Worker {
  if (PROGRAM_FORM === "app") {
    return new Worker(getAsset(`${module}.js`, "utf8"), { eval: true, workerData });
  }
  const ending = PROGRAM_FORM === "checkout" ? "ts" : "js";
  return new Worker(join(ROOT, `${module}.${ending}`), { workerData });
}
