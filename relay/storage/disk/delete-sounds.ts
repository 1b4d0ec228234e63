import { removeIfEmpty, settleFolders } from "./settle-folders.ts";
import { type SoundFiles, unless } from "./sound-files.ts";
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
  const folders = new Map<string, SoundPath[]>();
  const left = new Set<string>();
  const errors = [
    ...(await tryEach(keys, async (key) => {
      const path = soundPath(root, key);
      const tried = folders.get(path.folder) ?? [];
      folders.set(path.folder, tried);
      // Nearly every sound is finished, and then has no other file. An empty folder proves it.
      await unless(["ENOENT"], () => files.unlink(path.finished));
      tried.push(path);
    })),
    ...(await tryEach(folders, async ([folder, paths]) => {
      if (await removeIfEmpty(files, folder)) return;
      left.add(folder);
      for (const path of paths) await unlinkSound(files, path);
    })),
    // Also makes the removal of a folder durable that another process removed and did not flush yet.
    ...(await settleFolders(files, root, left.size > 0 ? left : new Set([root]))),
  ];
  throwAny(errors, "Some sounds could not be deleted.");
}

/** Unlinks finished files, and no more. Tries every key. @throws as `deleteSounds` does */
export async function unlinkFinished(
  files: SoundFiles,
  root: string,
  keys: readonly string[],
): Promise<void> {
  const errors = await tryEach(keys, async (key) => {
    await unless(["ENOENT"], () => files.unlink(soundPath(root, key).finished));
  });
  throwAny(errors, "The room of some sounds could not be freed.");
}

/** In this order nothing appears later: a writer renames its unfinished file before this, or never. */
async function unlinkSound(files: SoundFiles, { part, finished }: SoundPath): Promise<void> {
  await unless(["ENOENT"], () => files.unlink(part));
  await unless(["ENOENT"], () => files.unlink(finished));
}
