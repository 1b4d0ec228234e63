import type { SoundDigest } from "../audio/sound-check.ts";
import type { WavHeader } from "../audio/wav-header.ts";
import type { Manifest, Sound } from "../manifest/manifest.ts";
import { parseLocalManifest } from "../manifest/parse-manifest.ts";
import type { SavedSound } from "./saved-sounds.ts";

/** A sound's header with its proven size and SHA-256, or a sentence that says why the sound can't be used. */
export type FetchedSound =
  | (WavHeader & { readonly digest: SoundDigest })
  | { readonly error: string };

/** The facts about the sounds in a package's folder. */
export interface SoundsInFolder {
  /** Returns the name of a sound's file, which may not exist. */
  readonly fileNameOf: (soundId: string) => string;
  /** The results of this run's downloads, by sound id. */
  readonly fetched: ReadonlyMap<string, FetchedSound>;
  /** The sounds that the folder's manifest had before, by id. */
  readonly saved: ReadonlyMap<string, SavedSound>;
}

/**
 * Returns a package's manifest as its folder has it (rule F10), in canonical form: with the files' own names, and what it
 * says of a sound's bytes was checked by this run or an earlier one.
 */
export function savedManifest(
  { packageId, manifest }: { readonly packageId: string; readonly manifest: Manifest },
  { fileNameOf, fetched, saved }: SoundsInFolder,
): Manifest {
  const items = manifest.items.map((sound): Sound => {
    const { bytes, sha256 } = sound;
    const file = fileNameOf(sound.id);
    const received = fetched.get(sound.id);
    const before = saved.get(sound.id);
    const announced = {
      ...(bytes !== undefined && { bytes }),
      ...(sha256 !== undefined && { sha256 }),
    };
    const known = before?.file === file ? { ...before.digest, ...announced } : announced;
    const isReceived = received !== undefined && !("error" in received);
    return { ...sound, file, ...(isReceived ? received.digest : known) };
  });
  return parseLocalManifest({ ...manifest, items }, { packageId, isOnDisk: true }).manifest;
}
