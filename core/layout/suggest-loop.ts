import type { LoopHints } from "../wav/read-loop-hints.ts";
import type { WavHeader } from "../wav/wav-header.ts";
import { MAX_BPM, MAX_LENGTH_BEATS, MIN_BPM } from "../limits.ts";

/** A guessed loop. A person must confirm it. */
export interface LoopSuggestion {
  readonly lengthBeats: number;
  readonly tempoBpm: number;
  /** The evidence: the package's tempo, a chunk of the file, or only its length. */
  readonly because: "tempo" | "acid" | "smpl" | "length";
}

/** Common loop lengths and tempi; without other evidence only these are suggested. */
const USUAL_BEATS = [1, 2, 4, 8, 16, 32, 64, 128];
const RARER_BEATS = [3, 6, 12, 24, 48];
const [SLOWEST_BPM, FASTEST_BPM] = [70, 180];
const MIDDLE_BPM = 120;
/** The layout's tolerance for equal lengths (rule T2). */
const AGREES_SECONDS = 0.01;
/** Tolerance when only the length is known: it must match a whole tempo almost to the frame. */
const AGREES_FRAMES = 1.5;
const SHORTEST_SECONDS = 0.9;

/**
 * Suggests a loop's length and tempo from the package's tempo, from an `acid` or `smpl` chunk that
 * agrees with the file's length, or from a length that matches a whole tempo. Returns null if nothing
 * matches or the `acid` chunk marks a one-shot.
 */
export function suggestLoop(
  { frames, sampleRateHz }: Pick<WavHeader, "frames" | "sampleRateHz">,
  hints: LoopHints,
  packageBpm?: number,
): LoopSuggestion | null {
  const seconds = frames / sampleRateHz;
  const { acid, sampler } = hints;
  if (acid?.isOneShot === true) return null;
  if (packageBpm !== undefined) {
    const lengthBeats = Math.round((seconds * packageBpm) / 60);
    const offSeconds = Math.abs((lengthBeats * 60) / packageBpm - seconds);
    if (isLength(lengthBeats) && offSeconds <= AGREES_SECONDS) {
      return { lengthBeats, tempoBpm: packageBpm, because: "tempo" };
    }
  }
  if (acid !== undefined && acidAgrees(acid, seconds)) {
    return { lengthBeats: acid.beats, tempoBpm: roundTempo(acid.tempoBpm), because: "acid" };
  }
  const guess = guessFromLength(frames, sampleRateHz);
  if (sampler?.startFrame !== 0 || Math.abs(sampler.endFrame - (frames - 0.5)) > 1) return guess;
  const whole = guess ?? nearestToMiddle(USUAL_BEATS, seconds);
  return whole && { ...whole, because: "smpl" };
}

function acidAgrees(acid: { readonly beats: number; readonly tempoBpm: number }, seconds: number) {
  const { beats, tempoBpm } = acid;
  if (!isLength(beats) || !(tempoBpm >= MIN_BPM && tempoBpm <= MAX_BPM)) return false;
  return Math.abs((beats * 60) / tempoBpm - seconds) <= AGREES_SECONDS;
}

function guessFromLength(frames: number, sampleRateHz: number): LoopSuggestion | null {
  const seconds = frames / sampleRateHz;
  if (seconds < SHORTEST_SECONDS) return null;
  const fits = (lengthBeats: number): boolean => {
    const wholeBpm = Math.round((lengthBeats * 60) / seconds);
    return Math.abs((lengthBeats * 60 * sampleRateHz) / wholeBpm - frames) <= AGREES_FRAMES;
  };
  const guess =
    nearestToMiddle(USUAL_BEATS.filter(fits), seconds) ??
    nearestToMiddle(RARER_BEATS.filter(fits), seconds);
  return guess && { ...guess, tempoBpm: Math.round(guess.tempoBpm) };
}

function nearestToMiddle(lengths: readonly number[], seconds: number): LoopSuggestion | null {
  const [nearest] = lengths
    .map((lengthBeats) => ({ lengthBeats, tempoBpm: roundTempo((lengthBeats * 60) / seconds) }))
    .filter(({ tempoBpm }) => tempoBpm >= SLOWEST_BPM && tempoBpm <= FASTEST_BPM)
    .sort((one, other) => distanceFromMiddle(one) - distanceFromMiddle(other));
  return nearest === undefined ? null : { ...nearest, because: "length" };
}

function distanceFromMiddle({ tempoBpm }: { readonly tempoBpm: number }): number {
  return Math.abs(Math.log(tempoBpm / MIDDLE_BPM));
}

function isLength(beats: number): boolean {
  return beats > 0 && beats <= MAX_LENGTH_BEATS;
}

/** Removes single-precision noise from a chunk's tempo. */
function roundTempo(tempoBpm: number): number {
  return Math.round(tempoBpm * 1000) / 1000;
}
