import type { Sound } from "../../core/manifest/manifest.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { WavHeader } from "../../core/wav/wav-header.ts";
import { flushFolder } from "../disk/atomic-file.ts";
import { FetchFailure, type RetryPolicy, receiveSound } from "./download.ts";
import { forEachConcurrently } from "../concurrency/for-each-concurrently.ts";
import type { PackageSource } from "../packages/package-source.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";

/** A sound's header, or a sentence that says why the sound can't be used. */
export type FetchedSound = WavHeader | { readonly error: string };

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** Called after a failed download; rejects when the whole package is gone. */
  readonly assertStillThere: () => Promise<unknown>;
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
}

/**
 * Downloads a package's sounds into its folder, four at a time. One that fails doesn't stop the others (rule R1).
 * @returns the results by sound id
 * @throws {Error} when the package is gone or the disk fails; finished and partial files stay
 */
export async function fetchSounds(
  source: PackageSource,
  folder: PackageFolder,
  options: FetchOptions,
): Promise<ReadonlyMap<string, FetchedSound>> {
  const fetched = new Map<string, FetchedSound>();
  for (const [soundId, error] of source.problems) fetched.set(soundId, { error });
  const sounds = source.manifest.items.filter((sound) => !source.problems.has(sound.id));
  const onBytes = countBytes(sounds, options.onProgress);

  await forEachConcurrently(sounds, options.signal, async (sound, { signal, alongside }) => {
    try {
      const received = await receiveSound(source, sound, folder.pathOf(sound.id), {
        signal,
        retryPolicy: options.retryPolicy,
        onBytes: (seenBytes) => onBytes(sound, seenBytes),
      });
      // Start the next download during the flush.
      alongside(received.finish());
      fetched.set(sound.id, received.header);
    } catch (error) {
      if (error instanceof FetchFailure) await options.assertStillThere();
      else if (!(error instanceof Refusal)) throw error;
      fetched.set(sound.id, { error: error.message });
    }
  });
  await flushFolder(folder.path);
  return fetched;
}

/** Adds up the bytes of all sounds and reports every half percent: a listener's work may be slow. */
function countBytes(
  sounds: readonly Sound[],
  onProgress: FetchOptions["onProgress"],
): (sound: Sound, seenBytes: number) => void {
  const seen = new Map<string, number>();
  let totalBytes = sounds.reduce((sum, sound) => sum + (sound.bytes ?? 0), 0);
  let doneBytes = 0;
  let reportedBytes = 0;
  return (sound, seenBytes) => {
    const gained = seenBytes - (seen.get(sound.id) ?? 0);
    seen.set(sound.id, seenBytes);
    doneBytes += gained;
    if (sound.bytes === undefined) totalBytes += gained;
    const isWorthReporting = Math.abs(doneBytes - reportedBytes) >= totalBytes / 200;
    if (!isWorthReporting && doneBytes < totalBytes) return;
    reportedBytes = doneBytes;
    onProgress(doneBytes, totalBytes);
  };
}
