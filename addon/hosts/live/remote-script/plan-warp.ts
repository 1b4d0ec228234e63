import type { TrackPlan } from "../../../../core/layout/layout.ts";

/** The length of a file's audio, from its header. */
export interface AudioLength {
  readonly frames: number;
  readonly sampleRateHz: number;
}

/** One way to lay a clip over its file; where Live refuses it, the next one is tried. */
export interface WarpAttempt {
  /** The warp markers; null to keep Live's. */
  readonly markers: readonly (readonly [seconds: number, beats: number])[] | null;
  /** The start, in beats if warped and in seconds if not; null for the file's first sample. */
  readonly start: number | null;
  /** The end, in the unit of `start`; null for Live's own. */
  readonly end: number | null;
  /** The length of the loop from a `start` of null. */
  readonly beats?: number;
}

/** The rounding error of a product in doubles, in frames. */
const NOISE_FRAMES = 1e-6;

/** Returns the ways to lay a clip over its file, the best one first (rule H13). */
export function planWarp(
  plan: Pick<TrackPlan, "looping" | "loopEndBeats" | "tempoBpm">,
  file: AudioLength,
): readonly WarpAttempt[] {
  const { looping, loopEndBeats, tempoBpm } = plan;
  if (!looping) {
    const end = file.frames / file.sampleRateHz;
    return [
      { markers: null, start: 0, end },
      { markers: null, start: 0, end: null },
    ];
  }
  if (tempoBpm === null) {
    const guessed = { markers: null, start: null, end: null };
    return [loopEndBeats === null ? guessed : { ...guessed, beats: loopEndBeats }];
  }
  return planLoop(loopEndBeats, tempoBpm, file);
}

/** Checks whether an attempt gives the loop's beats to the whole file, which is up to one frame off. */
export function endsAtFileEnd(attempt: WarpAttempt | undefined, file: AudioLength): boolean {
  const second = attempt?.markers?.at(1);
  const end = attempt?.end ?? null;
  if (second === undefined || end === null) return false;
  const missingSeconds = file.frames / file.sampleRateHz - (end * second[0]) / second[1];
  return Math.abs(missingSeconds) * file.sampleRateHz <= NOISE_FRAMES;
}

function planLoop(
  loopEndBeats: number | null,
  tempoBpm: number,
  { frames, sampleRateHz }: AudioLength,
): readonly WarpAttempt[] {
  const fileSeconds = frames / sampleRateHz;
  const fileBeats = (fileSeconds * tempoBpm) / 60;
  const end = loopEndBeats ?? fileBeats;
  const endSeconds = (end * 60) / tempoBpm;
  const missingFrames = endSeconds * sampleRateHz - frames;
  // The second marker must lie inside the file: on the loop's end, or one frame before the file's.
  const insideSeconds = Math.max(frames - 1, 0.5) / sampleRateHz;
  const second: readonly [number, number] =
    missingFrames <= NOISE_FRAMES - 1
      ? [endSeconds, end]
      : [insideSeconds, (insideSeconds * tempoBpm) / 60];
  const exact = { markers: [[0, 0], second] as const, start: 0 };
  const attempts: WarpAttempt[] = [{ ...exact, end }];
  if (Math.abs(missingFrames) <= 1 + NOISE_FRAMES) {
    attempts.push(onLine(fileSeconds, fileSeconds, end));
    // Where Live takes no marker on the file's end, one a frame before it on the same line does.
    const isExact = Math.abs(missingFrames) <= NOISE_FRAMES;
    if (!isExact) attempts.push(onLine(insideSeconds, fileSeconds, end));
  }
  if (missingFrames > NOISE_FRAMES) {
    attempts.push({ ...exact, end: fileBeats }, onLine(fileSeconds, fileSeconds, fileBeats));
    // After the last marker, Live may play on at a tempo of its own.
    attempts.push({ ...exact, end: second[1] });
  }
  attempts.push({ ...exact, end: null });
  return attempts;
}

/** Returns an attempt with a second marker on the line that gives all beats to the whole file. */
function onLine(seconds: number, fileSeconds: number, beats: number): WarpAttempt {
  const markerBeats = seconds === fileSeconds ? beats : (beats * seconds) / fileSeconds;
  return {
    markers: [
      [0, 0],
      [seconds, markerBeats],
    ],
    start: 0,
    end: beats,
  };
}
