import { basename, extname } from "node:path";
import { DawprojectFile } from "../../addon/hosts/dawproject/dawproject-file.ts";
import { DAWPROJECT } from "../../addon/hosts/dawproject/stored-zip.ts";
import { notesOn, planProject } from "../../core/dawproject/plan-project.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { assertFits } from "../../core/zip/zip-format.ts";
import { gatherSounds, remarksOf, titleOf, type WrittenPackages } from "./gather-sounds.ts";
import type { FolderPackage } from "./read-package-folder.ts";

export interface DawprojectOptions {
  /** Set to lay everything out on the timeline, too. */
  readonly withArrangement: boolean;
  /** Cancels; then there is no file, or still the older one. */
  readonly signal?: AbortSignal;
}

/**
 * Writes packages into one DAWproject, a scene for each (rules D1, D7). Leaves out sounds that can't be used, and
 * packages without usable sounds.
 * @param path of the file, which is replaced
 * @throws {NothingToWriteError} if no sound can be used
 * @throws {ZipTooLargeError} if the sounds exceed what a DAWproject can hold
 * @throws {unknown} if the file can't be written; then there is none, or still the older one
 */
export async function writeDawproject(
  packages: readonly FolderPackage[],
  path: string,
  { withArrangement, signal }: DawprojectOptions,
): Promise<WrittenPackages> {
  // Checked before gigabytes are copied.
  assertFits(
    packages.reduce((sum, one) => sum + audioBytes(one), 0),
    DAWPROJECT,
  );
  await using file = await DawprojectFile.begin(path);
  const put = (name: string, from: string) => file.addSound(name, from, signal);
  const gathered = await gatherSounds(packages, put, signal);
  const title = titleOf(packages, basename(path, extname(path)));
  const { scenes, ...project } = planProject(gathered.packages, { title, withArrangement });
  await file.finish({ ...project, scenes });
  return {
    scenes: scenes.length,
    sounds: scenes.reduce((sum, { tracks }) => sum + tracks.length, 0),
    leftOut: gathered.leftOut,
    notes: remarksOf(packages, gathered, ({ layout, audio }) => {
      const written = usableTracks(layout).filter(({ soundId }) => audio.has(soundId));
      return new Map(written.map((plan) => [plan.soundId, notesOn(plan)]));
    }),
  };
}

function audioBytes({ headers }: FolderPackage): number {
  const sounds = [...headers.values()];
  return sounds.reduce((sum, sound) => sum + ("error" in sound ? 0 : sound.dataBytes), 0);
}
