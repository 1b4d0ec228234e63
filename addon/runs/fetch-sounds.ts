import type { Sound } from "../../core/manifest/manifest.ts";
import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import { NOT_SELECTED } from "../../core/protocol/package-status.ts";
import { countReceived, type SoundProgress } from "../../core/panel/sound-progress.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import { RUN_SENTENCES, runSentence } from "../../core/protocol/run-sentences.ts";
import type { FetchedSound } from "../../core/saved-package/saved-manifest.ts";
import { flushFolder } from "../../program/flush-folder.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";
import { forEachConcurrently } from "../packages/for-each-concurrently.ts";
import type { PackageSource } from "../packages/package-source.ts";
import { isOwnRefusal } from "../relay/relay-errors.ts";
import {
  Attempts,
  type AttemptsOptions,
  FetchFailure,
  type RetryPolicy,
  type Transport,
} from "./attempts.ts";
import { type DownloadOptions, receiveSound } from "./download.ts";
import type { RunLease } from "./run-lease.ts";
import { withDeadline } from "../timers.ts";

/** The result of a sound that the relay had and has lost. */
export const LOST_AT_RELAY = RUN_SENTENCES.FILE_LOST;

export interface FetchOptions extends AttemptsOptions, Pick<DownloadOptions, "startHash"> {
  /** Called after a relay refused a sound, or a local one failed; rejects when the whole package is gone. */
  readonly assertStillThere: () => Promise<unknown>;
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  /** Returns whether a sound is to be fetched; all are by default. */
  readonly isChosen?: (soundId: string) => boolean;
  /** Called for each sound's bytes and at the end of its download; may be called very often. */
  readonly onSound?: (sound: Sound, at: number | "fetched" | "failed") => void;
}

/**
 * Downloads a package's sounds into its folder, four at a time. One that has a problem of its own doesn't stop the others
 * (rule R1), and one that isn't chosen isn't asked for (rule R10).
 * @returns the results by sound id
 * @throws {Error} when the package is gone or the disk fails, or the signal's reason; finished and partial files stay
 */
export async function fetchSounds(
  source: PackageSource,
  folder: PackageFolder,
  options: FetchOptions,
): Promise<ReadonlyMap<string, FetchedSound>> {
  const { isChosen = () => true, onSound = () => undefined, transport } = options;
  const fetched = new Map<string, FetchedSound>();
  const sounds: Sound[] = [];
  for (const sound of source.manifest.items) {
    const error = isChosen(sound.id) ? source.problems.get(sound.id) : NOT_SELECTED;
    if (error === undefined) sounds.push(sound);
    else fetched.set(sound.id, { error });
    if (error !== undefined && isChosen(sound.id)) onSound(sound, "failed");
  }
  const onBytes = countReceived(sounds, options.onProgress);

  await forEachConcurrently(sounds, options.signal, async (sound, { signal, alongside }) => {
    try {
      const received = await receiveSound(source, sound, folder.pathOf(sound.id), {
        signal,
        retryPolicy: options.retryPolicy,
        startHash: options.startHash,
        transport,
        onBytes: (seenBytes) => {
          onSound(sound, seenBytes);
          onBytes(sound, seenBytes);
        },
      });
      // Start the next download during the flush.
      alongside(received.finish());
      fetched.set(sound.id, { ...received.header, digest: received.digest });
      onSound(sound, "fetched");
    } catch (error) {
      fetched.set(sound.id, { error: await ownTroubleOf(error, { ...options, signal }) });
      onSound(sound, "failed");
    }
    transport?.noteSettled();
  });
  await flushFolder(folder.path);
  return fetched;
}

/**
 * Returns a sentence on what is wrong with a sound.
 * @throws {unknown} the error, or why the package is gone, where it isn't the sound's
 */
async function ownTroubleOf(error: unknown, options: FetchOptions): Promise<string> {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof FetchFailure)) throw error;
  options.signal.throwIfAborted();
  await assertStillThere(options);
  return error.refusedWith === "SOUND_LOST" ? LOST_AT_RELAY : error.message;
}

/** Checks that the package still exists, and asks again while the relay can't be reached. */
async function assertStillThere(options: FetchOptions): Promise<void> {
  const { signal, retryPolicy } = options;
  const { silenceLimitMs: ms, timers } = retryPolicy;
  const late = () => new Error(runSentence("RELAY_SILENT", { seconds: ms / 1000 }));
  const attempts = new Attempts(options);
  for (;;) {
    try {
      await withDeadline(options.assertStillThere(), { ms, late, signal, timers });
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (isOwnRefusal(error) || options.transport === undefined) throw error;
      await attempts.pauseAfter(FetchFailure.of(error));
    }
  }
}

interface RunFetchOptions extends Pick<DownloadOptions, "startHash"> {
  /** The run's lease; absent for a local package. */
  readonly lease: RunLease | undefined;
  readonly runId: string;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly isChosen: (soundId: string) => boolean;
  readonly sounds: SoundProgress;
  /** Called when `sounds` has changed. */
  readonly onSounds: () => void;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Downloads a run's sounds under its lease, and reports how far they are.
 * @throws {ConnectionLostError} when the lease has ended without a new byte; else what `fetchSounds` throws
 */
export async function fetchForRun(
  source: PackageSource,
  folder: PackageFolder,
  options: RunFetchOptions,
): Promise<ReadonlyMap<string, FetchedSound>> {
  const { lease, runId, sounds, onSounds, onProgress, signal } = options;
  let fetched = { doneBytes: 0, totalBytes: 0 };
  const fetch = (ending: AbortSignal, transport?: Transport) =>
    fetchSounds(source, folder, {
      ...options,
      signal: ending,
      transport,
      assertStillThere: async () => source.relay?.take(source.packageId, { run_id: runId }),
      onSound: (sound, at) => {
        if (typeof at === "number") return sounds.noteBytes(sound, at);
        sounds.note(sound.id, at);
        onSounds();
      },
      onProgress: (doneBytes, totalBytes) => {
        fetched = { doneBytes, totalBytes };
        onSounds();
        onProgress({ phase: "fetching", ...fetched });
      },
    });
  if (lease === undefined) return fetch(signal);
  const report = {
    onTrouble: (secondsLeft: number) => onProgress({ phase: "retrying", secondsLeft, ...fetched }),
    onRecovered: () => onProgress({ phase: "fetching", ...fetched }),
  };
  return lease.whileFetching(report, (watch) =>
    fetch(AbortSignal.any([signal, watch.signal]), watch),
  );
}
