import type { Sound } from "../manifest/manifest.ts";
import { clashKey, fileNameFor } from "../text/file-name.ts";
import type { SavedSound } from "./saved-sounds.ts";

/** The content of a package's folder before its sounds get their names. */
export interface NamesThere {
  /** The names of everything in the folder. */
  readonly all: readonly string[];
  /** The package's files according to its marker, without those whose name is a folder's or a link's by now. */
  readonly ours: ReadonlySet<string>;
  /** The sounds that the folder's manifest has, by id. */
  readonly saved: ReadonlyMap<string, SavedSound>;
}

/**
 * Gives each sound of a package a file name in its folder (rule F1): the one that it has from an earlier import, or a
 * new one that replaces nobody else's file.
 * @returns the names by sound id
 */
export function claimNames(
  sounds: readonly Pick<Sound, "id" | "name">[],
  { all, ours, saved }: NamesThere,
): ReadonlyMap<string, string> {
  // Compare by key: some systems return another Unicode form than was written.
  const ourKeys = new Set([...ours].map(clashKey));
  const taken = new Set(all.map(clashKey).filter((key) => !ourKeys.has(key)));
  const claimed = new Map<string, string>();
  for (const { id, name } of sounds) {
    const before = saved.get(id);
    if (before?.name !== name || !ours.has(before.file) || taken.has(clashKey(before.file)))
      continue;
    taken.add(clashKey(before.file));
    claimed.set(id, before.file);
  }
  for (const sound of sounds.filter(({ id }) => !claimed.has(id))) {
    const name = fileNameFor(sound.name, ".wav", (candidate) => taken.has(clashKey(candidate)));
    taken.add(clashKey(name));
    claimed.set(sound.id, name);
  }
  return claimed;
}
