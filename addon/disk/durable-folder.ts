import { dirname, resolve } from "node:path";
import { makeFolder, makeFolderSync } from "../../program/make-folder.ts";
import { flushFolder, flushFolderSync } from "./atomic-file.ts";

/**
 * Like `makeFolder`; the folders that it creates survive a power cut, unless one that it may not read holds them.
 * @throws {FolderNotMadeError}
 */
export async function makeDurableFolder(path: string): Promise<void> {
  const outermost = await makeFolder(path);
  for (const folder of foldersAround(path, outermost)) {
    await flushFolder(folder).catch(throwUnlessUnreadable);
  }
}

/** Like `makeDurableFolder`, for code that must not wait. */
export function makeDurableFolderSync(path: string, options: { readonly mode: number }): void {
  const outermost = makeFolderSync(path, options);
  for (const folder of foldersAround(path, outermost)) {
    try {
      flushFolderSync(folder);
    } catch (error) {
      throwUnlessUnreadable(error);
    }
  }
}

/** The folders that hold a new one, from the innermost to the one that was there. */
function foldersAround(path: string, outermost: string | undefined): readonly string[] {
  const folders: string[] = [];
  if (outermost === undefined) return folders;
  for (let made = resolve(path); ; made = dirname(made)) {
    folders.push(dirname(made));
    if (made === outermost) return folders;
  }
}

/** Only a folder that may be read can be flushed. */
function throwUnlessUnreadable(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EACCES" && code !== "ERR_ACCESS_DENIED") throw error;
}
