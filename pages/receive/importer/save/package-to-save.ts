import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import type { Manifest, Warning } from "../../../../core/manifest/manifest.ts";
import type { FetchedSound } from "../../../../core/saved-package/saved-manifest.ts";

/** A package whose sounds are in the page's private files. */
export interface PackageToSave {
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  /** Every sound of the package, by id. */
  readonly fetched: ReadonlyMap<string, FetchedSound>;
  /** The bytes of those that can be used, by id. */
  readonly parts: ReadonlyMap<string, SoundPart>;
  readonly colorTurn: number;
}

export interface SoundPart {
  /** On the disk, not in memory. */
  readonly bytes: Blob;
  readonly crc32: number;
}

/** The place of a package's sounds. */
export interface SavedPlace {
  readonly folderName: string;
  readonly fileNameOf: (soundId: string) => string;
}

/** The place where one import saves its package. */
export interface SaveTarget {
  /** True if `finish` needs the CRC-32 of each part. */
  readonly needsCrc: boolean;
  /** Prepares the place; called first. */
  open(manifest: Manifest): Promise<void>;
  /** Saves a proven sound, while others are still downloaded. */
  putSound(soundId: string, bytes: Blob): Promise<void>;
  /** Saves what is about the package, once every sound is there. */
  finish(saving: PackageToSave): Promise<SavedPlace>;
}

/** Returns a function that looks up a sound's file name. */
export function namesBy(names: ReadonlyMap<string, string>): SavedPlace["fileNameOf"] {
  return (soundId) => {
    const name = names.get(soundId);
    if (name === undefined) throw new RangeError(`There is no sound ${soundId}.`);
    return name;
  };
}

/** Returns the headers of the sounds that can be used. */
export function headersIn(fetched: PackageToSave["fetched"]): Map<string, WavHeader> {
  const headers = new Map<string, WavHeader>();
  for (const [id, sound] of fetched) if (!("error" in sound)) headers.set(id, sound);
  return headers;
}
