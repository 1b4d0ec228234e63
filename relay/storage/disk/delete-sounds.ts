import { flushFolder, type SoundFiles, unless } from "./sound-files.ts";
import { type SoundPath, soundPath } from "./sound-path.ts";
import { throwAny, tryEach } from "./try-each.ts";

/**
 * Deletes what is stored of the keys, finished or not, and the folders that are empty then. Resolves once no
 * crash brings a name back. Tries every key.
 * @throws the error of the one call that failed, or all of them as an `AggregateError`
 */
export async function deleteSounds(
  files: SoundFiles,
  root: string,
  keys: readonly string[],
): Promise<void> {
  const folders = new Set<string>();
  const errors = [
    ...(await tryEach(keys, async (key) => {
      const path = soundPath(root, key);
      folders.add(path.folder);
      await unlinkSound(files, path);
    })),
    ...(await tryEach(folders, (folder) => removeOrFlush(files, folder))),
    // Also makes the removal of a folder durable that another process removed and did not flush yet.
    ...(await tryEach([root], (folder) => flushFolder(files, folder))),
  ];
  throwAny(errors, "Some sounds could not be deleted.");
}

/** In this order nothing appears later: a writer renames its unfinished file before this, or never. */
async function unlinkSound(files: SoundFiles, { part, finished }: SoundPath): Promise<void> {
  await unless(["ENOENT"], () => files.unlink(part));
  await unless(["ENOENT"], () => files.unlink(finished));
}

/** An open file stays readable after its name is deleted, so running reads are safe. */
async function removeOrFlush(files: SoundFiles, folder: string): Promise<void> {
  const removed = await unless(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () =>
    files.rmdir(folder),
  );
  if (!removed) await unless(["ENOENT"], () => flushFolder(files, folder));
}
