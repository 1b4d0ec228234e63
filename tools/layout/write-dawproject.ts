import { basename, extname } from "node:path";
import { DawprojectFile } from "../../addon/hosts/dawproject/dawproject-file.ts";
import { notesOn } from "../../addon/hosts/dawproject/plan-clip.ts";
import { planProject, type SceneSounds } from "../../addon/hosts/dawproject/plan-project.ts";
import type { ProjectAudio } from "../../addon/hosts/dawproject/project.ts";
import { isOfTheSound } from "../../addon/hosts/dawproject/sound-file.ts";
import { assertFits } from "../../addon/hosts/dawproject/stored-zip.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { FolderPackage } from "./read-package-folder.ts";

export interface DawprojectOptions {
  /** Whether everything is laid out on the timeline as well. */
  readonly withArrangement: boolean;
  /** Calls it off; then there is no file, or the older one. */
  readonly signal?: AbortSignal;
}

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

/** No sound can be used; the message is a sentence. */
export class NothingToWriteError extends Error {
  override readonly name = "NothingToWriteError";
  /** Why not, sound by sound. */
  readonly leftOut: readonly DawprojectRemark[];

  constructor(leftOut: readonly DawprojectRemark[]) {
    super("None of the sounds in these packages can be used.");
    this.leftOut = leftOut;
  }
}

/**
 * Writes packages as one DAWproject file, a scene for each (rules D1, D7). A sound that can't be used
 * is left out; so is a package without any that can.
 * @param path of the file; one that is there is replaced
 * @throws {NothingToWriteError} when no sound can be used
 * @throws {ZipTooLargeError} when the sounds are more than a DAWproject can hold
 * @throws {unknown} when the file can't be written; then there is none, or the older one
 */
export async function writeDawproject(
  packages: readonly FolderPackage[],
  path: string,
  { withArrangement, signal }: DawprojectOptions,
): Promise<WrittenDawproject> {
  // Known before gigabytes are copied.
  assertFits(packages.reduce((sum, one) => sum + audioBytes(one), 0));
  await using file = await DawprojectFile.begin(path);
  const leftOut: DawprojectRemark[] = [];
  const added: SceneSounds[] = [];
  for (const one of packages) {
    leftOut.push(...unusableSounds(one));
    added.push({ layout: one.layout, audio: await addSounds(file, one, leftOut, signal) });
  }
  signal?.throwIfAborted();
  const title = titleOf(packages, path);
  const project = planProject(added, { title, withArrangement });
  if (project.scenes.length === 0) throw new NothingToWriteError(leftOut);
  await file.finish(project);
  return {
    scenes: project.scenes.length,
    sounds: project.scenes.reduce((sum, { tracks }) => sum + tracks.length, 0),
    leftOut,
    notes: packages.flatMap((one, index) => notesOnPackage(one, added[index]?.audio)),
  };
}

function audioBytes({ headers }: FolderPackage): number {
  const sounds = [...headers.values()];
  return sounds.reduce((sum, sound) => sum + ("error" in sound ? 0 : sound.dataBytes), 0);
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
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, ProjectAudio>> {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  const audio = new Map<string, ProjectAudio>();
  for (const { soundId, clipName } of usableTracks(layout)) {
    const sound = sounds.get(soundId);
    if (sound === undefined) continue;
    try {
      audio.set(soundId, await file.addSound(clipName, await local.pathOf(sound), signal));
    } catch (error) {
      if (!isOfTheSound(error) && !(error instanceof LocalPackageError)) throw error;
      leftOut.push({ folder, sound: clipName, text: error.message });
    }
  }
  return audio;
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
