import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { isOfTheSound } from "../../addon/disk/sound-file.ts";
import { colorLayout } from "../../core/layout/palette.ts";
import type { PackageInFile } from "../../core/layout/plan-session.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** A file has no rotation: automatic colors are the rotation's first (rule T4). */
const FIRST_TURN = 0;

/** The content of a file that packages were written into. */
export interface WrittenPackages {
  readonly scenes: number;
  readonly sounds: number;
  /** Sounds left out, and why. */
  readonly leftOut: readonly SoundRemark[];
  /** Facts about sounds in the file that the format can't express. */
  readonly notes: readonly SoundRemark[];
}

/** A sentence about one sound. */
export interface SoundRemark {
  readonly folder: string;
  readonly sound: string;
  readonly text: string;
}

/** No sound can be used. */
export class NothingToWriteError extends Error {
  override readonly name = "NothingToWriteError";
  /** Every sound, and why it can't be used. */
  readonly leftOut: readonly SoundRemark[];

  constructor(leftOut: readonly SoundRemark[]) {
    super("None of the sounds in these packages can be used.");
    this.leftOut = leftOut;
  }
}

/** Packages with what a file has of their sounds. */
export interface GatheredSounds<Audio> {
  readonly packages: readonly PackageInFile<Audio>[];
  readonly leftOut: readonly SoundRemark[];
}

/**
 * Puts the usable sounds of packages into a file, package by package.
 * @param put gets a sound's name and the path of its file
 * @throws {NothingToWriteError} if no sound can be used
 */
export async function gatherSounds<Audio>(
  packages: readonly FolderPackage[],
  put: (name: string, path: string) => Promise<Audio>,
  signal?: AbortSignal,
): Promise<GatheredSounds<Audio>> {
  const leftOut: SoundRemark[] = [];
  const gathered: PackageInFile<Audio>[] = [];
  for (const one of packages) {
    leftOut.push(...unusableSounds(one));
    const layout = colorLayout(one.layout, FIRST_TURN);
    gathered.push({ layout, audio: await putSounds(one, put, leftOut) });
  }
  signal?.throwIfAborted();
  if (gathered.every(({ audio }) => audio.size === 0)) throw new NothingToWriteError(leftOut);
  return { packages: gathered, leftOut };
}

/** Returns the remarks on each package's sounds. */
export function remarksOf<Audio>(
  packages: readonly FolderPackage[],
  { packages: gathered }: GatheredSounds<Audio>,
  notesOn: (one: PackageInFile<Audio>, index: number) => ReadonlyMap<string, readonly string[]>,
): readonly SoundRemark[] {
  return gathered.flatMap((one, index) => {
    const folder = packages[index]?.folder ?? "";
    const notes = notesOn(one, index);
    return usableTracks(one.layout).flatMap(({ soundId, clipName: sound }) =>
      (notes.get(soundId) ?? []).map((text) => ({ folder, sound, text })),
    );
  });
}

/** Returns the name of the only package's scene, or else what the file is called. */
export function titleOf(packages: readonly FolderPackage[], fileTitle: string): string {
  const [only, second] = packages;
  return only !== undefined && second === undefined ? only.layout.scene.name : fileTitle;
}

function unusableSounds({ folder, layout }: FolderPackage): readonly SoundRemark[] {
  return layout.tracks.flatMap((track) =>
    "error" in track ? [{ folder, sound: track.clipName, text: track.error }] : [],
  );
}

/** Puts the readable sounds, and adds the others with the reason to `leftOut`. */
async function putSounds<Audio>(
  { folder, layout, local }: FolderPackage,
  put: (name: string, path: string) => Promise<Audio>,
  leftOut: SoundRemark[],
): Promise<ReadonlyMap<string, Audio>> {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  const audio = new Map<string, Audio>();
  for (const { soundId, clipName } of usableTracks(layout)) {
    const sound = sounds.get(soundId);
    if (sound === undefined) continue;
    try {
      audio.set(soundId, await put(clipName, await local.pathOf(sound)));
    } catch (error) {
      if (!isOfTheSound(error) && !(error instanceof LocalPackageError)) throw error;
      leftOut.push({ folder, sound: clipName, text: error.message });
    }
  }
  return audio;
}
