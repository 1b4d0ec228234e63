import { RECORDING_BUFFER_FRAMES, RECORDING_MIN_SECONDS } from "../guess/recording.ts";
import { MAX_BPM, MIN_BPM } from "../limits.ts";
import type { Sound } from "../manifest/manifest.ts";
import { formatNumber } from "../text/format-number.ts";
import type { WavHeader } from "../audio/wav-header.ts";
import { layoutSentence } from "./layout-sentences.ts";
import {
  compare,
  distance,
  divide,
  multiply,
  nearestWhole,
  ratio,
  rationalOf,
  toNumber,
  type Rational,
} from "./rational.ts";

/** A loop's warp tempo and length; null if the host guesses. */
export interface LoopTiming {
  readonly tempoBpm: number | null;
  readonly loopEndBeats: number | null;
  /** Sentences for the person who imports. */
  readonly notes: readonly string[];
}

const SECONDS_PER_MINUTE = rationalOf(60);
/** Lengths this close to a whole beat are rounded to it, in beats. */
const BEAT_TOLERANCE = rationalOf(0.1);
/** Differences between loop and file up to this many seconds get no note. */
const LENGTH_TOLERANCE = rationalOf(0.01);
/** The files of a recording end up to one buffer apart, and have one length (rule Y8). */
const isLongEnough = (seconds: Rational) =>
  compare(seconds, rationalOf(RECORDING_MIN_SECONDS)) >= 0;

/**
 * Plans a loop's tempo and length in exact arithmetic (rules T2 and T3). The tempo is the loop's, else
 * the package's, else derived from `length_beats` and the file. The length is `length_beats`, else
 * derived from tempo and file.
 * @param packageBpm the manifest's `tempo.bpm`
 */
export function planTempoAndLength(
  loop: Pick<Sound, "bpm" | "length_beats">,
  packageBpm: number | undefined,
  file: Pick<WavHeader, "frames" | "sampleRateHz">,
): LoopTiming {
  const fileSeconds = ratio(file.frames, file.sampleRateHz);
  const tempoBpm = loop.bpm ?? packageBpm;
  if (tempoBpm === undefined) return deriveTempo(loop.length_beats, fileSeconds);

  const tempo = rationalOf(tempoBpm);
  const length =
    loop.length_beats === undefined
      ? toWholeBeat(divide(multiply(fileSeconds, tempo), SECONDS_PER_MINUTE))
      : rationalOf(loop.length_beats);
  const loopSeconds = divide(multiply(length, SECONDS_PER_MINUTE), tempo);
  const loopEndBeats = toNumber(length);
  const toleranceSeconds = isLongEnough(fileSeconds)
    ? ratio(RECORDING_BUFFER_FRAMES, file.sampleRateHz)
    : LENGTH_TOLERANCE;
  const lengths = { tempoBpm, loopEndBeats, loopSeconds, fileSeconds, toleranceSeconds };
  const notes = noteMismatch(lengths);
  return { tempoBpm, loopEndBeats, notes };
}

function deriveTempo(lengthBeats: number | undefined, fileSeconds: Rational): LoopTiming {
  if (lengthBeats === undefined) {
    return { tempoBpm: null, loopEndBeats: null, notes: [layoutSentence("BOTH_GUESSED")] };
  }
  const tempo = divide(multiply(rationalOf(lengthBeats), SECONDS_PER_MINUTE), fileSeconds);
  if (compare(tempo, rationalOf(MIN_BPM)) < 0 || compare(tempo, rationalOf(MAX_BPM)) > 0) {
    const params = { beats: formatBeats(lengthBeats), seconds: formatSeconds(fileSeconds) };
    const note = layoutSentence("TEMPO_GUESSED", params);
    return { tempoBpm: null, loopEndBeats: lengthBeats, notes: [note] };
  }
  return { tempoBpm: toNumber(tempo), loopEndBeats: lengthBeats, notes: [] };
}

/** Rounds to a whole beat within the tolerance, but never to 0 beats. */
function toWholeBeat(beats: Rational): Rational {
  const whole = nearestWhole(beats);
  const isNear = compare(distance(beats, whole), BEAT_TOLERANCE) <= 0;
  return isNear && whole.numerator > 0n ? whole : beats;
}

interface LoopLengths {
  readonly tempoBpm: number;
  readonly loopEndBeats: number;
  readonly loopSeconds: Rational;
  readonly fileSeconds: Rational;
  readonly toleranceSeconds: Rational;
}

function noteMismatch(lengths: LoopLengths): string[] {
  const { tempoBpm, loopEndBeats, loopSeconds, fileSeconds } = lengths;
  const gap = distance(loopSeconds, fileSeconds);
  if (compare(gap, lengths.toleranceSeconds) <= 0) return [];
  const code = compare(loopSeconds, fileSeconds) < 0 ? "LOOP_SHORTER" : "LOOP_LONGER";
  return [
    layoutSentence(code, {
      beats: formatBeats(loopEndBeats),
      bpm: formatNumber(tempoBpm),
      seconds: formatSeconds(loopSeconds),
      fileSeconds: formatSeconds(fileSeconds),
      gapSeconds: formatSeconds(gap),
    }),
  ];
}

function formatBeats(beats: number): string {
  return `${formatNumber(beats)} ${beats === 1 ? "beat" : "beats"}`;
}

function formatSeconds(seconds: Rational): string {
  return formatNumber(toNumber(seconds));
}
