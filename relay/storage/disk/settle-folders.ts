import { dirname } from "node:path";
import { flushFolder, type SoundFiles, unless } from "./sound-files.ts";
import { tryEach } from "./try-each.ts";

/**
 * Removes the folders that are empty, and then those around them, up to `top`, which stays. Resolves once what
 * was renamed or unlinked in them is durable. Tries every folder, and returns the errors.
 */
export async function settleFolders(
  files: SoundFiles,
  top: string,
  folders: ReadonlySet<string>,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  let level = folders;
  while (level.size > 0) {
    const around = new Set<string>();
    errors.push(
      ...(await tryEach(level, async (folder) => {
        if (folder === top) return flushFolder(files, top);
        around.add(dirname(folder));
        await removeOrFlush(files, folder);
      })),
    );
    level = around;
  }
  return errors;
}

/** An open file stays readable after its name is deleted, so running reads are safe. */
async function removeOrFlush(files: SoundFiles, folder: string): Promise<void> {
  const removed = await removeIfEmpty(files, folder);
  if (!removed) await unless(["ENOENT"], () => flushFolder(files, folder));
}

/** Removes a folder if it is empty. Returns whether it did. */
export async function removeIfEmpty(files: SoundFiles, folder: string): Promise<boolean> {
  return unless(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () => files.rmdir(folder));
}
