import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";
import type { PackageSource } from "../packages/package-source.ts";
import type { RetryPolicy, Transport } from "./attempts.ts";
import { type FetchedSound, fetchSounds } from "./fetch-sounds.ts";
import type { RunLease } from "./run-lease.ts";
import type { SoundProgress } from "./sound-progress.ts";

export interface RunFetchOptions {
  /** Absent for a local package. */
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
