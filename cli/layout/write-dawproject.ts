import { basename, extname } from "node:path";
import { DawprojectFile } from "../../addon/hosts/dawproject/dawproject-file.ts";
import { notesOn, planProject, type SceneSounds } from "../../core/dawproject/plan-project.ts";
import type { ProjectAudio } from "../../core/dawproject/project.ts";
import { isOfTheSound } from "../../addon/hosts/dawproject/sound-file.ts";
import { DAWPROJECT } from "../../addon/hosts/dawproject/stored-zip.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { colorLayout } from "../../core/layout/palette.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { assertFits } from "../../core/zip/zip-format.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** A file has no rotation: automatic colors are the rotation's first (rule T4). */
const FIRST_TURN = 0;

export interface DawprojectOptions {
  /** Set to lay everything out on the timeline, too. */
  readonly withArrangement: boolean;
  /** Cancels; then there is no file, or still the older one. */
  readonly signal?: AbortSignal;
}

/** The content of a written DAWproject. */
export interface WrittenDawproject {
  readonly scenes: number;
  readonly sounds: number;
  /** Sounds left out, and why. */
  readonly leftOut: readonly DawprojectRemark[];
  /** Facts about sounds in the file that the format can't express. */
  readonly notes: readonly DawprojectRemark[];
}

/** A sentence about one sound. */
export interface DawprojectRemark {
  readonly folder: string;
  readonly sound: string;
  readonly text: string;
}

/** No sound can be used. */
export class NothingToWriteError extends Error {
  override readonly name = "NothingToWriteError";
  /** Every sound, and why it can't be used. */
  readonly leftOut: readonly DawprojectRemark[];

  constructor(leftOut: readonly DawprojectRemark[]) {
    super("None of the sounds in these packages can be used.");
    this.leftOut = leftOut;
  }
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
): Promise<WrittenDawproject> {
  // Checked before gigabytes are copied.
  assertFits(
    packages.reduce((sum, one) => sum + audioBytes(one), 0),
    DAWPROJECT,
  );
  await using file = await DawprojectFile.begin(path);
  const leftOut: DawprojectRemark[] = [];
  const added: SceneSounds[] = [];
  for (const one of packages) {
    leftOut.push(...unusableSounds(one));
    const layout = colorLayout(one.layout, FIRST_TURN);
    added.push({ layout, audio: await addSounds(file, one, leftOut, signal) });
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

/** Adds the readable sounds, and the others with the reason to `leftOut`. */
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
