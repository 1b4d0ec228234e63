import { realpath } from "node:fs/promises";
import { isSaved } from "../../core/protocol/package-status.ts";
import type { PlacedSound } from "../../core/report/placed-sound.ts";
import { clashKey } from "../../core/text/file-name.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";

/**
 * Marks the files that the host plays from here (rule F6), and deletes leftovers (rule F5). A sound that was only saved is
 * played by nobody, and one that Live copied into its project is played there.
 */
export async function settleFiles(
  folder: PackageFolder,
  placed: readonly PlacedSound[],
): Promise<void> {
  try {
    const played: string[] = [];
    for (const sound of placed) {
      if (!("holds" in sound) || isSaved(sound)) continue;
      const { soundId, holds } = sound;
      const isElsewhere =
        holds.file !== undefined && !(await isSameFile(holds.file.got, folder.pathOf(soundId)));
      if (!isElsewhere) played.push(soundId);
    }
    await folder.keep(played);
    await folder.removeLeftovers();
  } catch {
    // The host has placed the sounds: a disk error here must not fail the import.
  }
}

/** Checks whether two paths lead to one file; a path that can't be followed may. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const real = await realpath(one).catch(() => other);
  return clashKey(real) === clashKey(other);
}
