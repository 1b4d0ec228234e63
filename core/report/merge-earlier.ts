import type { ImportedTrack, ImportOutcome } from "../protocol/import-outcome.ts";
import { isSaved, type SoundResult, statusOfResults } from "../protocol/package-status.ts";
import { soundResults, withResult } from "./import-outcome.ts";

/** Results of earlier runs by sound id. */
export type EarlierResults = ReadonlyMap<string, SoundResult>;

/** Fills in the earlier results of the sounds that a run left alone, or only saved (rules R11, R16). */
export function mergeEarlier(
  outcome: ImportOutcome,
  run: { readonly isChosen: (soundId: string) => boolean; readonly earlier: EarlierResults },
): ImportOutcome {
  const tracks = outcome.tracks.map((track): ImportedTrack => {
    const before = run.earlier.get(track.id);
    if (before === undefined) return track;
    const stands = !run.isChosen(track.id) || (isSaved(track) && isPlaced(before));
    return stands ? { ...withResult(track, before), earlier: true } : track;
  });
  const soundIds = tracks.map(({ id }) => id);
  return { ...outcome, status: statusOfResults(soundIds, soundResults(tracks)), tracks };
}

/**
 * Merges the results of hosts by sound: one in a session comes before a saved one, and that before one that wasn't
 * imported. Of equal ones the later counts.
 */
export function mergeResults(
  byHost: Iterable<ReadonlyMap<string, SoundResult>>,
): Map<string, SoundResult> {
  const merged = new Map<string, SoundResult>();
  for (const atHost of byHost) {
    for (const [id, result] of atHost) {
      const before = merged.get(id);
      if (before === undefined || rankOf(result) >= rankOf(before)) merged.set(id, result);
    }
  }
  return merged;
}

/** Checks whether a sound is in a host's session, or in a file for another program. */
function isPlaced(result: SoundResult): boolean {
  return result.status === "imported" && !isSaved(result);
}

function rankOf(result: SoundResult): number {
  if (isPlaced(result)) return 2;
  return result.status === "imported" ? 1 : 0;
}
