import { join } from "node:path";
import type { StoredSound } from "../../domain/ports.ts";
import { type SoundFiles, unlessMissing } from "./sound-files.ts";
import { keyOfFile, soundPath } from "./sound-path.ts";

/** The folder of a package. */
export interface SoundFolder {
  readonly path: string;
  readonly keys: ReadonlySet<string>;
  readonly isEmpty: boolean;
}

/** The folders of packages. Skips what is no sound: operating systems put files of their own anywhere. */
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

/** Every sound of a folder of sounds, finished or not. */
export async function* listSounds(files: SoundFiles, root: string): AsyncIterable<StoredSound> {
  for await (const { keys } of listFolders(files, root)) {
    for (const key of keys) {
      const sound = await findSound(files, root, key);
      if (sound !== undefined) yield sound;
    }
  }
}

/** Looks for the finished file last, because a writer may just be renaming the other one. */
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
  // What this process is writing may have been idle for long, but isn't left over.
  const changedAt = files.beingWritten.has(finished) ? Date.now() : stat.mtimeMs;
  return { key, bytes: stat.size, isFinished: stat === whole, changedAt };
}
