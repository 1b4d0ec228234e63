import { MAX_BPM, MAX_LENGTH_BEATS, MIN_BPM } from "../limits.ts";
import type { WavHeader } from "../audio/wav-header.ts";
import type { TempoRange } from "./sound-words.ts";

/** Frames and sample rate of a sound. */
export type SoundLength = Pick<WavHeader, "frames" | "sampleRateHz">;

/** A tempo and the number of beats that a sound lasts at it. */
export interface LoopLength {
  readonly bpm: number;
  readonly lengthBeats: number;
}

/** Returns the length of a sound in seconds. */
export function secondsOf({ frames, sampleRateHz }: SoundLength): number {
  return frames / sampleRateHz;
}

/** Loop lengths that are usual in fours, and rarer ones. */
const USUAL_BEATS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const RARER_BEATS = [3, 6, 12, 24, 48, 96];
/** Tempi that are tried for a loop without a style; the one nearest to the middle by ratio wins. */
const ANY_STYLE: TempoRange = [70, 180];
const MIDDLE_BPM = 120;
/** The layout's tolerance for equal lengths (rule T2). */
const AGREES_SECONDS = 0.01;
/** Tolerance where only the length speaks: it matches a tempo almost to the frame. */
const AGREES_FRAMES = 1.5;
/** The largest relative difference between a number in a name and the tempo that the length says. */
const NEAR = 0.05;

/**
 * Returns the tempo at which so many beats fill a sound, whole or in tenths if that fits to the frame; null if there is
 * none.
 */
export function filledTempo(lengthBeats: number, length: SoundLength): LoopLength | null {
  const found = tempoFor(lengthBeats, length);
  if (found === null) return null;
  const rounded = [1, 10].map((steps) => Math.round(found.bpm * steps) / steps);
  const bpm = rounded.find((one) => fitsToTheFrame({ lengthBeats, bpm: one }, length));
  return bpm === undefined ? found : { lengthBeats, bpm };
}

/** Returns the whole number of beats that a sound lasts at a tempo, within 10 ms; null if it isn't whole. */
export function wholeBeatsAt(bpm: number, length: SoundLength): number | null {
  const seconds = secondsOf(length);
  const beats = Math.round((seconds * bpm) / 60);
  const isWhole = Math.abs((beats * 60) / bpm - seconds) <= AGREES_SECONDS;
  return isWhole && beats > 0 && beats <= MAX_LENGTH_BEATS ? beats : null;
}

/** Checks whether so many beats at a tempo end within 1.5 frames of the sound. */
export function fitsToTheFrame({ bpm, lengthBeats }: LoopLength, length: SoundLength): boolean {
  const frames = (lengthBeats * 60 * length.sampleRateHz) / bpm;
  return Math.abs(frames - length.frames) <= AGREES_FRAMES;
}

/** Returns the tempo at which a power of two beats fills a sound, if that is within 5 % of a number; else null. */
export function nearTempo(bpm: number, length: SoundLength): LoopLength | null {
  const beats = secondsOf(length) * (bpm / 60);
  const lengthBeats = 2 ** Math.round(Math.log2(beats));
  if (lengthBeats < 1 || Math.abs(beats / lengthBeats - 1) > NEAR) return null;
  return tempoFor(lengthBeats, length);
}

/** Returns the tempo at which so many beats fill a sound; null if there is no such tempo. */
function tempoFor(lengthBeats: number, length: SoundLength): LoopLength | null {
  const bpm = roundTempo((lengthBeats * 60 * length.sampleRateHz) / length.frames);
  const isPossible = bpm >= MIN_BPM && bpm <= MAX_BPM && lengthBeats <= MAX_LENGTH_BEATS;
  return isPossible ? { bpm, lengthBeats } : null;
}

/** Returns the beats of the whole bars in a sound at a tempo; the rest is a tail. null if there are none. */
export function wholeBarsAt(bpm: number, length: SoundLength, beatsPerBar: number): number | null {
  const beats = secondsOf(length) * (bpm / 60);
  const missing = (AGREES_SECONDS * bpm) / 60;
  const bars = Math.floor((beats + missing) / beatsPerBar);
  const whole = bars > 0 ? bars * beatsPerBar : Math.floor(beats + missing);
  return whole > 0 && whole <= MAX_LENGTH_BEATS ? whole : null;
}

/**
 * Returns the whole tempo that a sound's length alone says, to 1.5 frames; null if there is none.
 * @param range usual tempi of the style in the name; else 70 to 180 BPM, nearest to 120
 * @param steps 2 also takes tempi such as 97.5
 */
export function exactTempo(
  length: SoundLength,
  range: TempoRange | null,
  steps: 1 | 2 = 1,
): LoopLength | null {
  const fits = (lengthBeats: number): readonly LoopLength[] => {
    const exact = (lengthBeats * 60 * length.sampleRateHz) / length.frames;
    const found = { lengthBeats, bpm: Math.round(exact * steps) / steps };
    return found.bpm > 0 && fitsToTheFrame(found, length) ? [found] : [];
  };
  const [usual, rarer] = [USUAL_BEATS.flatMap(fits), RARER_BEATS.flatMap(fits)];
  return (
    (range && (nearestIn(range, usual) ?? nearestIn(range, rarer))) ??
    nearestIn(ANY_STYLE, usual) ??
    nearestIn(ANY_STYLE, rarer)
  );
}

/** Returns the tempo at which a usual number of beats fills a sound, in a range; there is always one from 70 to 180. */
export function likelyTempo(length: SoundLength, range: TempoRange | null): LoopLength | null {
  const all = USUAL_BEATS.flatMap((beats) => tempoFor(beats, length) ?? []);
  return (range && nearestIn(range, all)) ?? nearestIn(ANY_STYLE, all);
}

function nearestIn([slowest, fastest]: TempoRange, all: readonly LoopLength[]): LoopLength | null {
  const [nearest] = all
    .filter(({ bpm }) => bpm >= slowest && bpm <= fastest)
    .sort((one, other) => distanceFromMiddle(one) - distanceFromMiddle(other));
  return nearest ?? null;
}

function distanceFromMiddle({ bpm }: LoopLength): number {
  return Math.abs(Math.log(bpm / MIDDLE_BPM));
}

/** Removes noise below a thousandth of a BPM. */
export function roundTempo(bpm: number): number {
  return Math.round(bpm * 1000) / 1000;
}
