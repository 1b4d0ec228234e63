import type { Onset } from "./find-onsets.ts";

/** The shortest step that is played. */
const SHORTEST_STEP_SECONDS = 0.07;
/** With many onsets, swing and ghost notes may be off. */
const LEAST_FIT = 0.88;
const LEAST_FIT_OF_MANY = 0.82;
const MANY = 16;
/** A grid whose last step ends so far from the sound's end doesn't close: of a step, and of the sound. */
const CLOSES = 0.02;
const CLOSES_OF_SOUND = 0.0015;
/** Onsets that are so few must lie on the grid as closely. */
const FEW = 8;
const FEW_OFF_SECONDS = 0.014;

/**
 * Returns how well onsets lie on a grid of so many steps in the sound, from 0 to 1: the length of the mean of their
 * phases. Steps that are not whole make a grid that doesn't end with the sound.
 */
export function fitOf(onsets: readonly Onset[], seconds: number, steps: number): number {
  let [x, y, weights] = [0, 0, 0];
  for (const onset of onsets) {
    const weight = Math.sqrt(onset.strength);
    const phase = (2 * Math.PI * steps * onset.seconds) / seconds;
    x += weight * Math.cos(phase);
    y += weight * Math.sin(phase);
    weights += weight;
  }
  return weights === 0 ? 0 : Math.hypot(x, y) / weights;
}

/**
 * Finds the coarsest grid that nearly all onsets lie on and that ends with the sound.
 * @returns the number of its steps in the sound; null if there is none
 */
export function findGridSteps(onsets: readonly Onset[], seconds: number): number | null {
  if (endsWithRest(onsets, seconds)) return null;
  const most = Math.floor(seconds / SHORTEST_STEP_SECONDS);
  const least = onsets.length < MANY ? LEAST_FIT : LEAST_FIT_OF_MANY;
  for (const odd of ODD_PARTS) {
    for (let steps = odd; steps <= most; steps *= 2) {
      const fit = fitOf(onsets, seconds, steps);
      if (fit < least || !isSure(onsets, seconds, steps, fit, odd)) continue;
      if (closes(onsets, seconds, steps)) return steps;
    }
  }
  return null;
}

/** Checks whether the last onset is followed by more rest than any other: a tail, or silence. */
function endsWithRest(onsets: readonly Onset[], seconds: number): boolean {
  const times = onsets.map((onset) => onset.seconds);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  const rest = seconds - (times.at(-1) ?? 0) + (times[0] ?? 0);
  return rest > Math.max(...gaps) * 1.25 + 0.2;
}

/** Odd parts of a grid's steps, the usual first; a rarer one needs more onsets. */
const ODD_PARTS = [1, 3, 5, 7, 9];

/** Checks that so many onsets hardly lie on the grid by chance. */
function isSure(
  onsets: readonly Onset[],
  seconds: number,
  steps: number,
  fit: number,
  odd: number,
): boolean {
  const sure = onsets.length * fit * fit;
  if (odd > 3) return sure >= 20 && fit > 0.94;
  if (onsets.length >= FEW) return sure >= (odd === 1 ? 6.5 : 9);
  const step = seconds / steps;
  const off = onsets.map((onset) =>
    Math.abs(onset.seconds - Math.round(onset.seconds / step) * step),
  );
  const worst = Math.max(...off);
  const share = (2 * FEW_OFF_SECONDS) / step;
  return odd === 1 && worst <= FEW_OFF_SECONDS && share ** (onsets.length - 1) < 0.003;
}

/** Checks that the grid that fits best ends with the sound. */
function closes(onsets: readonly Onset[], seconds: number, steps: number): boolean {
  let [best, off] = [0, 0];
  for (let by = -0.6; by <= 0.6; by += 0.02) {
    const fit = fitOf(onsets, seconds, steps + by);
    if (fit > best) [best, off] = [fit, by];
  }
  return Math.abs(off) <= CLOSES + CLOSES_OF_SOUND * steps;
}
