import type { Onset } from "./find-onsets.ts";
import { fitOf } from "./grid.ts";

const SLOWEST_BPM = 60;
const FASTEST_BPM = 200;

/**
 * Chooses how many beats fill a loop; null if half, double or another meter may be meant.
 * @param steps those of the grid that fill it
 */
export function chooseBeats(
  onsets: readonly Onset[],
  seconds: number,
  steps: number,
): number | null {
  const bpmOf = (beats: number): number => (beats * 60) / seconds;
  const family = familyOf(onsets, seconds, steps);
  if (family === null) return null;
  const inRange: number[] = [];
  for (let each = family.beats; bpmOf(each) <= FASTEST_BPM + 0.01; each *= 2) {
    if (bpmOf(each) >= SLOWEST_BPM - 0.01) inRange.push(each);
  }
  const areWholeBars = family.beats < 5 || inRange.every((each) => each % 4 === 0);
  const [slow, fast, ...more] = inRange;
  if (slow === undefined || more.length > 0 || !areWholeBars) return null;
  if (fast === undefined) return slow;
  const played = playedAt(onsets, seconds, fast);
  const isFast = family.isInThirds
    ? judgeThirds(played, bpmOf(fast))
    : judgeOctave(played, bpmOf(fast), steps / fast);
  if (isFast === null) return null;
  return isFast ? fast : slow;
}

/** The least number of beats, of which doubles are candidates. */
interface Family {
  readonly beats: number;
  /** True if each beat has three parts. */
  readonly isInThirds: boolean;
}

/** Finds the meter of a grid; null if it is open. */
function familyOf(onsets: readonly Onset[], seconds: number, steps: number): Family | null {
  let odd = steps;
  while (odd % 2 === 0) odd /= 2;
  if (odd % 3 !== 0) return { beats: odd, isInThirds: false };
  // Thirds of a beat, or bars of three: which of the coarser grids do the onsets lie on?
  const [thirds, halves] = [fitOf(onsets, seconds, steps / 3), fitOf(onsets, seconds, steps / 2)];
  if (halves > 0.15 && halves > thirds * CLEARLY) return { beats: odd, isInThirds: false };
  return thirds > 0.45 && thirds > halves * CLEARLY ? { beats: odd / 3, isInThirds: true } : null;
}

const CLEARLY = 1.6;

/** The onsets at the beats of the faster candidate, and between them. */
interface Played {
  /** Share of the onsets in the middle between two beats. */
  readonly onEighths: number;
  /** Share of the onsets elsewhere between two beats. */
  readonly onSixteenths: number;
  /** Mean place of the onsets in the middle, as a share of a beat: later with swing. */
  readonly eighthPhase: number;
  /** Share of the beats that have a low sound. */
  readonly lowBeats: number;
  readonly fastBeats: Backbeat;
  readonly slowBeats: Backbeat;
}

/** Differences of every second beat from the others. */
interface Backbeat {
  /** Number of beats. */
  readonly count: number;
  /** Its strength as a share of theirs. */
  readonly strength: number;
  /** Share of these beats that are struck, and struck hard. */
  readonly struckOdd: number;
  readonly strongOdd: number;
  /** Brightness of these that are struck hard, and of the others. */
  readonly brightDb: number;
  readonly darkDb: number;
}

function playedAt(onsets: readonly Onset[], seconds: number, fast: number): Played {
  const beat = seconds / fast;
  const beats: (Onset | undefined)[] = Array.from({ length: fast });
  let [eighths, sixteenths, phases] = [0, 0, 0];
  for (const onset of onsets) {
    const at = onset.seconds / beat;
    const phase = at - Math.floor(at);
    if (phase < 0.12 || phase > 0.88) beats[Math.round(at) % fast] = onset;
    else if (phase > 0.39 && phase < 0.7) {
      eighths += 1;
      phases += phase;
    } else sixteenths += 1;
  }
  const lows = beats.map((one) => one?.energies[0] ?? 0);
  const most = Math.max(...lows);
  return {
    onEighths: eighths / onsets.length,
    onSixteenths: sixteenths / onsets.length,
    eighthPhase: eighths === 0 ? 0.5 : phases / eighths,
    lowBeats: beats.filter((one) => isLow(one, most / 8)).length / fast,
    fastBeats: backbeatOf(beats),
    slowBeats: backbeatOf(beats.filter((_, index) => index % 2 === 0)),
  };
}

function backbeatOf(beats: readonly (Onset | undefined)[]): Backbeat {
  const strongest = Math.max(...beats.map((one) => one?.strength ?? 0));
  const sideOf = (side: 0 | 1) => {
    const own = beats.filter((_, index) => index % 2 === side);
    const struck = own.filter((one) => one !== undefined);
    const strong = struck.filter(({ strength }) => strength > strongest * STRONG);
    return { count: Math.max(1, own.length), struck, strong };
  };
  const [even, odd] = [sideOf(0), sideOf(1)];
  return {
    count: beats.length,
    strength: meanOf(odd.struck, strengthOf) / meanOf(even.struck, strengthOf),
    struckOdd: odd.struck.length / odd.count,
    strongOdd: odd.strong.length / odd.count,
    darkDb: meanOf(even.strong, brightnessOf),
    brightDb: meanOf(odd.strong, brightnessOf),
  };
}

const STRONG = 0.6;

function meanOf(onsets: readonly Onset[], valueOf: (onset: Onset) => number): number {
  return onsets.reduce((sum, one) => sum + valueOf(one), 0) / Math.max(1, onsets.length);
}

function strengthOf({ strength }: Onset): number {
  return strength;
}

/** Returns how much more energy an onset has above 500 Hz than below, in dB. */
function brightnessOf({ energies }: Onset): number {
  const [sub = 0, low = 0, middle = 0, high = 0] = energies;
  return 10 * Math.log10((middle + high + 1e-9) / (sub + low + 1e-9));
}

function isLow(onset: Onset | undefined, least: number): boolean {
  return onset !== undefined && (onset.energies[0] ?? 0) > least && brightnessOf(onset) < 0;
}

/** A snare or clap on every second beat. */
function isBackbeat({ strongOdd, darkDb, brightDb }: Backbeat): boolean {
  return strongOdd > 0.7 && darkDb < -3.5 && brightDb > -2.5 && brightDb - darkDb > 4;
}

/** Decides between a tempo (true) and its half for beats of three parts; null if both may be meant. */
function judgeThirds(played: Played, fastBpm: number): boolean | null {
  const { onEighths, onSixteenths, fastBeats, slowBeats } = played;
  const [isFast, isSlow] = [isBackbeat(fastBeats), isBackbeat(slowBeats)];
  // The last third of a slow beat is the first of the second fast one.
  if (onSixteenths > 0.15 && onEighths < 0.05) return isSlow ? false : null;
  if (onEighths < 0.1 || onSixteenths > 0.05) return null;
  if (isSlow && !isFast && fastBpm >= 150) return false;
  return isFast && !isSlow && fastBpm <= 150 ? true : null;
}

/**
 * Decides between a tempo (true) and its half; null if both may be meant.
 * @param stepsPerBeat those of the grid, at the faster tempo
 */
function judgeOctave(played: Played, fastBpm: number, stepsPerBeat: number): boolean | null {
  const { onEighths, onSixteenths, eighthPhase, lowBeats, fastBeats, slowBeats } = played;
  const [isFast, isSlow] = [isBackbeat(fastBeats), isBackbeat(slowBeats)];
  // Sixteenths of the faster tempo would be thirty-seconds of the slower.
  const isFine = onSixteenths >= (fastBpm <= 150 ? 0.12 : 0.16);
  if (stepsPerBeat >= 4 && (isFine || (isFast && onSixteenths > 0.05))) {
    return fastBpm <= 181 ? true : null;
  }
  const isOnEach = lowBeats >= 0.9 && fastBeats.strength > 0.85 && fastBeats.strength < 1.18;
  if (fastBpm >= 114 && fastBpm <= 181 && isOnEach && onEighths > 0.2) return true;
  if (onSixteenths > 0.03) return null;
  if (isFast && !isSlow && fastBpm <= 140) return true;
  // Swung sixteenths of the slower tempo.
  if (isSlow && eighthPhase > 0.54 && onEighths > 0.05) return false;
  // Nothing is finer than eighths of the slower tempo, and these are weaker.
  const isFull = fastBeats.count >= 12 && fastBeats.struckOdd > 0.7 && fastBeats.strength < 0.7;
  if (fastBpm >= 150 && onEighths < 0.06 && isFull) return false;
  return fastBpm >= 182 && isSlow && onEighths < 0.4 ? false : null;
}
