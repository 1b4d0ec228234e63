import type { BandLevels } from "./band-levels.ts";

/** The start of a hit, a note or a syllable. */
export interface Onset {
  readonly seconds: number;
  /** Its rise in dB, summed over the bands. */
  readonly strength: number;
  /** Its energy in each band. */
  readonly energies: readonly number[];
}

/** Levels below the loudest of any band by so many dB count as silence. */
const FLOOR_DB = 42;
/** Fall of a held level in dB a frame, by band; low tones swing from frame to frame. */
const FALL_DB = [0.6, 0.9, 1.2, 1.5, 1.5] as const;
/** The least rise that counts in a band: noise varies by less. */
const LEAST_RISE_DB = 3.5;
const MOST_RISE_DB = 20;
/** An onset is the strongest of so many seconds around it. */
const APART_SECONDS = 0.045;
/** Onsets weaker than this share of the strong ones, or than so many dB, are ripples. */
const LEAST_SHARE = 0.18;
const LEAST_STRENGTH = 20;
/** The energy of an onset is that of so many seconds. */
const STRUCK_SECONDS = 0.04;

/** Finds the onsets of a sound. */
export function findOnsets({ energies, frameSeconds }: BandLevels): readonly Onset[] {
  const loudest = Math.max(...energies.map(maximumOf));
  if (loudest === 0) return [];
  const rises = energies.map((energy, band) => risesOf(energy, loudest, FALL_DB[band] ?? 1));
  const length = energies[0]?.length ?? 0;
  const sums = new Float32Array(length);
  for (const rise of rises) {
    for (let at = 0; at < length; at += 1) sums[at] = (sums[at] ?? 0) + (rise[at] ?? 0);
  }
  const peaks = peaksOf(sums, Math.round(APART_SECONDS / frameSeconds));
  const strong = peaks.map((at) => sums[at] ?? 0).toSorted((one, other) => other - one);
  const share = (strong[Math.floor(strong.length / 5)] ?? 0) * LEAST_SHARE;
  const least = Math.max(LEAST_STRENGTH, share);
  const struck = Math.round(STRUCK_SECONDS / frameSeconds);
  return peaks
    .filter((at) => (sums[at] ?? 0) >= least)
    .map((at) => ({
      seconds: at * frameSeconds,
      strength: sums[at] ?? 0,
      energies: energies.map((energy) => maximumOf(energy.subarray(at, at + struck))),
    }));
}

function maximumOf(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Returns how much the level of a band rises at each frame, in dB over the last three. */
function risesOf(energy: Float32Array, loudest: number, fallDb: number): Float32Array {
  const held = new Float32Array(energy.length);
  const rises = new Float32Array(energy.length);
  let level = -FLOOR_DB;
  for (let at = 0; at < energy.length; at += 1) {
    const now = Math.max(-FLOOR_DB, 10 * Math.log10((energy[at] ?? 0) / loudest + 1e-9));
    level = Math.max(now, level - fallDb);
    held[at] = level;
    const before = at < 3 ? -FLOOR_DB : (held[at - 3] ?? 0);
    const rise = level - before;
    if (rise > LEAST_RISE_DB) rises[at] = Math.min(MOST_RISE_DB, rise);
  }
  return rises;
}

function peaksOf(sums: Float32Array, apart: number): readonly number[] {
  const peaks: number[] = [];
  for (let at = 0; at < sums.length; at += 1) {
    const here = sums[at] ?? 0;
    if (here === 0) continue;
    let isPeak = true;
    for (let near = Math.max(0, at - apart); near <= at + apart && isPeak; near += 1) {
      const other = sums[near] ?? 0;
      isPeak = near < at ? other < here : other <= here;
    }
    if (isPeak) peaks.push(at);
  }
  return peaks;
}
