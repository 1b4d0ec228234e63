import { basename, extname } from "node:path";
import { DawprojectFile, SoundFileError } from "../../addon/host/dawproject/dawproject-file.ts";
import { notesOn } from "../../addon/host/dawproject/plan-clip.ts";
import { planProject, type SceneSounds } from "../../addon/host/dawproject/plan-project.ts";
import type { ProjectAudio } from "../../addon/host/dawproject/project.ts";
import { LocalPackageError } from "../../addon/import/local-package.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { Refusal } from "../../core/refusal.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** What a DAWproject file was made of. */
export interface WrittenDawproject {
  readonly scenes: number;
  readonly sounds: number;
  /** Sounds that are not in it, and why. */
  readonly leftOut: readonly DawprojectRemark[];
  /** What the format can't say of a sound that is in it. */
  readonly notes: readonly DawprojectRemark[];
}

/** A sentence on one sound. */
export interface DawprojectRemark {
  readonly folder: string;
  readonly sound: string;
  readonly text: string;
}

/** There is nothing to write; the message is a sentence. */
export class NothingToWriteError extends Error {
  override readonly name = "NothingToWriteError";
}

/**
 * Writes packages as one DAWproject file, a scene for each (rules D1, D7). A sound that can't be used
 * is left out; so is a package without any that can.
 * @param path of the file; one that is there is replaced
 * @throws {NothingToWriteError} when no sound can be used
 * @throws {unknown} when the file can't be written; then there is none, or the older one
 */
export async function writeDawproject(
  packages: readonly FolderPackage[],
  path: string,
  { withArrangement }: { readonly withArrangement: boolean },
): Promise<WrittenDawproject> {
  await using file = await DawprojectFile.begin(path);
  const leftOut: DawprojectRemark[] = [];
  const added: SceneSounds[] = [];
  for (const one of packages) {
    leftOut.push(...unusableSounds(one));
    added.push({ layout: one.layout, audio: await addSounds(file, one, leftOut) });
  }
  const title = titleOf(packages, path);
  const project = planProject(added, { title, withArrangement });
  if (project.scenes.length === 0) {
    throw new NothingToWriteError("No sound of these packages can be used.");
  }
  await file.finish(project);
  return {
    scenes: project.scenes.length,
    sounds: project.scenes.reduce((sum, { tracks }) => sum + tracks.length, 0),
    leftOut,
    notes: packages.flatMap((one, index) => notesOnPackage(one, added[index]?.audio)),
  };
}

function unusableSounds({ folder, layout }: FolderPackage): readonly DawprojectRemark[] {
  return layout.tracks.flatMap((track) =>
    "error" in track ? [{ folder, sound: track.clipName, text: track.error }] : [],
  );
}

/** Adds what can be read, and says of each other sound why not. */
async function addSounds(
  file: DawprojectFile,
  { folder, layout, local }: FolderPackage,
  leftOut: DawprojectRemark[],
): Promise<ReadonlyMap<string, ProjectAudio>> {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  const audio = new Map<string, ProjectAudio>();
  for (const { soundId, clipName } of usableTracks(layout)) {
    const sound = sounds.get(soundId);
    if (sound === undefined) continue;
    try {
      audio.set(soundId, await file.addSound(clipName, await local.pathOf(sound)));
    } catch (error) {
      if (!isOfTheSound(error)) throw error;
      leftOut.push({ folder, sound: clipName, text: error.message });
    }
  }
  return audio;
}

/** Whether the sound is at fault, and not the file that is written. */
function isOfTheSound(error: unknown): error is Error {
  return (
    error instanceof SoundFileError ||
    error instanceof LocalPackageError ||
    error instanceof Refusal
  );
}

function notesOnPackage(
  { folder, layout }: FolderPackage,
  audio: ReadonlyMap<string, ProjectAudio> | undefined,
): readonly DawprojectRemark[] {
  return usableTracks(layout)
    .filter(({ soundId }) => audio?.has(soundId))
    .flatMap((plan) => notesOn(plan).map((text) => ({ folder, sound: plan.clipName, text })));
}

function titleOf(packages: readonly FolderPackage[], path: string): string {
  const [only, second] = packages;
  if (only !== undefined && second === undefined) return only.layout.scene.name;
  return basename(path, extname(path));
}
