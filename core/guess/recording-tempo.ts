import { MAX_BPM, MAX_LENGTH_BEATS, MIN_BPM } from "../limits.ts";
import { groupBy } from "./group-by.ts";
import { isWholeSampler } from "./guess-tempo.ts";
import {
  exactTempo,
  fitsToTheFrame,
  type LoopLength,
  roundTempo,
  secondsOf,
} from "./loop-lengths.ts";
import { readNumbers } from "./numbers-in-name.ts";
import type { GuessInput } from "./sound-guess.ts";
import { stemOf } from "./words-of-name.ts";

/**
 * Returns the tempo that a recording's files agree on; null if nothing says one, or if no more than half of those that
 * say one agree. A wrong grid is worse than none, so a length alone says nothing (rule Y8).
 */
export function findRecordingTempo(inputs: readonly GuessInput[]): LoopLength | null {
  const [shortest] = inputs.toSorted((one, other) => secondsOf(one) - secondsOf(other));
  if (shortest === undefined) return null;
  const sources = [
    writtenTempi(inputs),
    inputs.flatMap(({ hints }) => hints.tempoBpm ?? []),
    inputs.flatMap(acidTempo),
    inputs.flatMap(samplerTempo),
    bareTempi(inputs, shortest),
  ];
  const said = sources.map((tempi) => tempi.filter(isPossible)).find(({ length }) => length > 0);
  const bpm =
    agreedTempo(said ?? []) ??
    inputs.find(({ packageBpm }) => packageBpm !== undefined)?.packageBpm;
  return bpm === undefined ? null : recordingAt(secondsOf(shortest), bpm);
}

/** Returns a tempo with the length of a recording at it; null if it has more beats than a loop can have. */
export function recordingAt(seconds: number, bpm: number): LoopLength | null {
  const lengthBeats = beatsOf(seconds, bpm);
  return lengthBeats > MAX_LENGTH_BEATS ? null : { bpm, lengthBeats };
}

function isPossible(bpm: number): boolean {
  return bpm >= MIN_BPM && bpm <= MAX_BPM;
}

/** Returns the tempo that more than half of the files say that say one. */
function agreedTempo(tempi: readonly number[]): number | undefined {
  const classes = groupBy(tempi, roundTempo);
  for (const [bpm, { length }] of classes) if (length * 2 > tempi.length) return bpm;
  return undefined;
}

/** Returns all names, and each folder's once. */
function namesOf(inputs: readonly GuessInput[]): readonly string[] {
  const folders = new Set(inputs.map(({ folderName = "" }) => folderName));
  return [...inputs.map(({ fileName }) => stemOf(fileName)), ...folders];
}

/** Returns the numbers beside `bpm` in the names and in their folders. */
function writtenTempi(inputs: readonly GuessInput[]): readonly number[] {
  return namesOf(inputs).flatMap((name) => {
    const marked = readNumbers(name).tempos.filter(({ isMarked }) => isMarked);
    const [first, second] = marked.map(({ bpm }) => bpm);
    // A tempo with its half, as in `87-174bpm`, is one.
    const isOne = first !== undefined && second === first / 2;
    return isOne ? [first] : marked.map(({ bpm }) => bpm);
  });
}

/** Returns the tempo of an `acid` chunk whose beats fill the file to less than a bar. */
function acidTempo(input: GuessInput): readonly number[] {
  const { acid } = input.hints;
  if (acid === undefined || acid.isOneShot || acid.beats === 0) return [];
  const beats = (secondsOf(input) * acid.tempoBpm) / 60;
  return Math.abs(beats - acid.beats) < BEATS_PER_BAR ? [roundTempo(acid.tempoBpm)] : [];
}

const BEATS_PER_BAR = 4;

/** Returns the whole tempo at which a file that is looped as a whole lasts whole bars, to the frame. */
function samplerTempo(input: GuessInput): readonly number[] {
  if (!isWholeSampler(input)) return [];
  const fits = USUAL_TEMPI.filter((bpm) => fillsBars(bpm, input));
  const bpm = fits.length > 1 ? exactTempo(input, null)?.bpm : fits[0];
  return bpm === undefined ? [] : [bpm];
}

const USUAL_TEMPI = Array.from({ length: 111 }, (_, index) => 70 + index);

/** Numbers that a key follows or, without a space, precedes: `128 Am`, `Am_128`. */
const BESIDE_KEY =
  /(?<![\p{L}\d.,])(\d{2,3})[ _-]{1,3}[A-G](?:#|b)?(?:m|min|maj)(?![\p{L}\p{N}#])|(?<![\p{L}\p{N}])[A-G](?:#|b)?(?:m|min|maj)[_-](\d{2,3})(?![\p{L}\d])/u;

/**
 * Returns bare numbers that are a tempo: those beside a key, and those at which the shortest file lasts whole bars. Any
 * tempo makes whole beats of whole minutes, and a number may be a year or a band's.
 */
function bareTempi(inputs: readonly GuessInput[], shortest: GuessInput): readonly number[] {
  return namesOf(inputs).flatMap((name) => {
    const [, before, behind] = BESIDE_KEY.exec(name) ?? [];
    const besideKey = Number(before ?? behind);
    const fits = readNumbers(name).tempos.flatMap(({ bpm }) =>
      bpm === besideKey || fillsBars(bpm, shortest) ? [bpm] : [],
    );
    return fits.length === 1 ? fits : [];
  });
}

function fillsBars(bpm: number, input: GuessInput): boolean {
  if (isRound(input)) return false;
  const bars = Math.round((secondsOf(input) * bpm) / (60 * BEATS_PER_BAR));
  return bars > 0 && fitsToTheFrame({ bpm, lengthBeats: bars * BEATS_PER_BAR }, input);
}

/** Checks for whole seconds, to the frame: such a length fits many tempi by chance. */
export function isRound({ frames, sampleRateHz }: GuessInput): boolean {
  const over = frames % sampleRateHz;
  return Math.min(over, sampleRateHz - over) <= 1;
}

/** Returns the beats of a length, as a whole number within 10 ms. */
function beatsOf(seconds: number, bpm: number): number {
  const beats = (seconds * bpm) / 60;
  const whole = Math.round(beats);
  const isWhole = Math.abs(whole - beats) * (60 / bpm) <= 0.01;
  return isWhole ? whole : Math.round(beats * 1e6) / 1e6;
}
