import type { BandLevels } from "./band-levels.ts";
import type { Onset } from "./find-onsets.ts";

const BLOCK_SECONDS = 0.02;
const SILENT_DB = -72;

/** Returns the level of a sound in blocks of 20 ms, in dB below its loudest. */
export function levelsOf({ energies, frameSeconds }: BandLevels): readonly number[] {
  const perBlock = Math.max(1, Math.round(BLOCK_SECONDS / frameSeconds));
  const count = Math.floor((energies[0]?.length ?? 0) / perBlock);
  const blocks = Array.from({ length: count }, (_, block) => {
    let sum = 0;
    for (const energy of energies) {
      for (let at = block * perBlock; at < (block + 1) * perBlock; at += 1) sum += energy[at] ?? 0;
    }
    return sum;
  });
  const loudest = Math.max(1e-12, ...blocks);
  return blocks.map((block) => 10 * Math.log10(block / loudest + 1e-9));
}

/** Checks whether a sound is struck once, at its start, and rings out at its end. */
export function ringsOut(
  onsets: readonly Onset[],
  levels: readonly number[],
  seconds: number,
): boolean {
  if (seconds < SHORTEST_LOOP_SECONDS) return true;
  const [first, ...others] = onsets;
  if (first === undefined || first.seconds > Math.max(0.06, seconds * 0.06)) return false;
  // A flam, a latch after a door, or the beating of a chord.
  const isOnce = others.every(
    ({ seconds: at, strength }) =>
      at - first.seconds < Math.min(0.25, seconds / 5) || strength < first.strength * BEATING,
  );
  const floor = Math.max(SILENT_DB, Math.min(...levels) + 4);
  const silent = levels.length - 1 - levels.findLastIndex((level) => level > floor);
  const isEarly = levels.indexOf(Math.max(...levels)) < levels.length * 0.6;
  const end = levels.at(-1) ?? 0;
  const isDown = end < RUNG_OUT_DB || (end < NOISY_DB && silent > FLAT_BLOCKS);
  const share = silent <= FLAT_BLOCKS ? 0 : silent / levels.length;
  const mostSilence = isWholeTempo(seconds) ? LITTLE_SILENCE : MOST_SILENCE;
  const sounding = levels.slice(0, levels.length - silent);
  const falls = seconds < SHORT_SECONDS || partOf(sounding, 1) - partOf(sounding, 5) > FALLS_DB;
  return isOnce && isEarly && isDown && falls && share < mostSilence;
}

/** Checks whether 4, 8 or 16 beats at a whole tempo are as long: then a hit may be the only one of a loop. */
function isWholeTempo(seconds: number): boolean {
  return [4, 8, 16].some((beats) => {
    const bpm = (beats * 60) / seconds;
    const off = Math.abs((beats * 60) / Math.round(bpm) - seconds);
    return bpm > 59 && bpm < 201 && off < 0.0001;
  });
}

/** Returns the mean level of one of eight parts. */
function partOf(levels: readonly number[], index: number): number {
  const at = (part: number): number => Math.floor((part * levels.length) / 8);
  const own = levels.slice(at(index), at(index + 1));
  return own.reduce((sum, level) => sum + level, 0) / Math.max(1, own.length);
}

/** Longer notes that are held may be several, each bound to the next. */
const SHORT_SECONDS = 1.2;
const FALLS_DB = 5;
/** A beat of the fastest loops. */
const SHORTEST_LOOP_SECONDS = 0.3;
const BEATING = 0.4;
/** A sound has rung out when it is so far below its loudest moment, or in noise that stays the same. */
const RUNG_OUT_DB = -50;
const NOISY_DB = -30;
const FLAT_BLOCKS = 5;
/** With more silence behind it, a hit may be a loop's only one. */
const MOST_SILENCE = 0.45;
const LITTLE_SILENCE = 0.15;

/** Checks whether a sound swells from silence to its end, as risers and reversed cymbals do. */
export function swells(onsets: readonly Onset[], levels: readonly number[]): boolean {
  if (levels.length < 40 || onsets.some(({ strength }) => strength > 45)) return false;
  const parts = [0, 1, 2, 3, 4, 5, 6].map((index) => partOf(levels, index));
  const rises = parts.every((level, index) => index === 0 || level > (parts[index - 1] ?? 0) - 0.5);
  return rises && (parts[6] ?? 0) - (parts[0] ?? 0) > 15 && Math.max(...levels.slice(0, 2)) < -25;
}

/** Checks whether a sound is about as loud in its second half as in its first. */
export function isEven(levels: readonly number[]): boolean {
  const half = Math.floor(levels.length / 2);
  return Math.abs(10 * Math.log10(power(levels.slice(0, half)) / power(levels.slice(half)))) < 7;
}

function power(levels: readonly number[]): number {
  return levels.reduce((sum, level) => sum + 10 ** (level / 10), 0) / levels.length;
}
