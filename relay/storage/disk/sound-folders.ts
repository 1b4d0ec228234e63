import { dirname, join } from "node:path";
import type { StoredSound } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";
import { flushFolder, isFile, type SoundFiles, unless, unlessMissing } from "./sound-files.ts";
import { keyOfFile, soundPath, type SoundPath } from "./sound-path.ts";
import { throwAny, tryEach } from "./try-each.ts";

/** Limit of attempts to create a folder that others remove before a file is in it. */
const MOST_TRIES = 100;

/** Acts in a folder, which is created if necessary, again and again while others remove it. */
export async function inFolder<Result>(
  files: SoundFiles,
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      await files.mkdir(folder, { recursive: true, mode: 0o700 });
      return await act();
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === MOST_TRIES) throw error;
    }
  }
}

/** Renames a file into a folder that may not exist yet. Returns false if there is no such file. */
export async function moveFile(files: SoundFiles, from: string, to: string): Promise<boolean> {
  if (!(await isFile(files, from))) return false;
  return inFolder(files, dirname(to), async () => {
    try {
      await files.rename(from, to);
      return true;
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || (await isFile(files, from))) throw error;
      return false;
    }
  });
}

/**
 * Removes the folders that are empty, and then their parents up to `top`, which stays. Resolves when all renames and
 * unlinks in them are durable. Tries every folder, and returns the errors.
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

/** Removes an empty folder, or flushes it. Running reads are safe, because open files stay readable. */
async function removeOrFlush(files: SoundFiles, folder: string): Promise<void> {
  const removed = await removeIfEmpty(files, folder);
  if (!removed) await unlessMissing(() => flushFolder(files, folder));
}

/** Removes a folder if it is empty. Returns whether it did. */
export async function removeIfEmpty(files: SoundFiles, folder: string): Promise<boolean> {
  return unless(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () => files.rmdir(folder));
}

/** The folder of a package. */
interface SoundFolder {
  readonly path: string;
  readonly keys: ReadonlySet<string>;
  readonly isEmpty: boolean;
}

/** Lists the folders of packages. Skips other files, because operating systems put their own anywhere. */
export async function* listFolders(files: SoundFiles, root: string): AsyncIterable<SoundFolder> {
  for await (const folder of await files.opendir(root)) {
    if (!folder.isDirectory()) continue;
    const path = join(root, folder.name);
    const names = await unlessMissing(() => files.readdir(path));
    if (names === undefined) continue;
    const keys = new Set<string>();
    for (const name of names) {
      const key = keyOfFile(folder.name, name);
      if (key !== undefined) keys.add(key);
    }
    yield { path, keys, isEmpty: names.length === 0 };
  }
}

/** Lists every sound of a folder of sounds, finished or not. */
export async function* listSounds(files: SoundFiles, root: string): AsyncIterable<StoredSound> {
  for await (const { keys } of listFolders(files, root)) {
    for (const key of keys) {
      const sound = await findSound(files, root, key);
      if (sound !== undefined) yield sound;
    }
  }
}

/** Looks up a sound. Looks for the finished file last, because a writer may just be renaming the other one. */
async function findSound(
  files: SoundFiles,
  root: string,
  key: string,
): Promise<StoredSound | undefined> {
  const { part, finished } = soundPath(root, key);
  const unfinished = await unlessMissing(() => files.stat(part));
  const whole = await unlessMissing(() => files.stat(finished));
  const stat = whole ?? unfinished;
  if (stat === undefined) return undefined;
  // A sound that this process is writing may have been idle for long, but isn't left over.
  const changedAt = files.beingWritten.has(finished) ? Date.now() : stat.mtimeMs;
  return { key, bytes: stat.size, isFinished: stat === whole, changedAt };
}

/** Number of folders that are removed at once. The system removes one after the other, and each waiting call takes a thread. */
const FOLDERS_AT_ONCE = 2;

/**
 * Deletes everything that is stored of the keys, finished or not, and the folders that become empty. Resolves when no
 * crash can bring a name back. Tries every key.
 * @throws the error of the one call that failed, or all of them as an `AggregateError`
 */
export async function deleteSounds(
  files: SoundFiles,
  root: string,
  keys: readonly string[],
): Promise<void> {
  const rest = await files.removeMany({ root, keys, what: "folders" });
  const paths: SoundPath[] = [];
  // By folder; with those that were tried, once something is in it.
  const tried = new Map<string, SoundPath[]>();
  const left = new Set<string>();
  const errors = [
    ...(await tryEach(rest, async (key) => void paths.push(soundPath(root, key)))),
    // A folder without files proves that nothing is stored. Those of expired packages were unlinked before.
    ...(await tryEach(
      new Set(paths.map(({ folder }) => folder)),
      async (folder) => {
        if (!(await removeUnlessFull(files, folder))) tried.set(folder, []);
      },
      FOLDERS_AT_ONCE,
    )),
    ...(await tryEach(paths, async (path) => {
      const others = tried.get(path.folder);
      if (others === undefined) return;
      // Nearly every sound is finished, and then has no other file.
      await unlessMissing(() => files.unlink(path.finished));
      others.push(path);
    })),
    ...(await tryEach(tried, async ([folder, ofFolder]) => {
      if (await removeUnlessFull(files, folder)) return;
      left.add(folder);
      for (const path of ofFolder) await unlinkSound(files, path);
    })),
    // Also makes the removal of a folder durable that another process removed and did not flush yet.
    ...(await settleFolders(files, root, left.size > 0 ? left : new Set([root]))),
  ];
  throwAny(errors, "Some sounds could not be deleted.");
}

/** Removes a folder unless something is in it. Returns whether there is none now. */
async function removeUnlessFull(files: SoundFiles, folder: string): Promise<boolean> {
  return unless(["ENOTEMPTY", "EEXIST", "EPERM"], () => unlessMissing(() => files.rmdir(folder)));
}

/** Unlinks finished files only. Tries every key. @throws as `deleteSounds` does */
export async function unlinkFinished(
  files: SoundFiles,
  root: string,
  keys: readonly string[],
): Promise<void> {
  const rest = await files.removeMany({ root, keys, what: "files" });
  const errors = await tryEach(rest, async (key) => {
    await unlessMissing(() => files.unlink(soundPath(root, key).finished));
  });
  throwAny(errors, "The room of some sounds could not be freed.");
}

/** Unlinks a sound. In this order nothing appears later: a writer renames its file before this, or never. */
async function unlinkSound(files: SoundFiles, { part, finished }: SoundPath): Promise<void> {
  await unlessMissing(() => files.unlink(part));
  await unlessMissing(() => files.unlink(finished));
}
