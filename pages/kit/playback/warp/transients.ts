/** Length of the steps in which levels are compared. */
const STEP_SECONDS = 0.001;
/** Number of steps before an attack that it is compared with. */
const BEFORE_STEPS = 12;
const ATTACK_STEPS = 4;
/** Factor by which an attack is at least louder than what came before it. */
const RISE = 2.2;
/** Part of the loudest attack below which a change is no attack. */
const FLOOR = 0.04;
/** Least distance of two attacks. */
const APART_STEPS = 35;

/**
 * Finds the beginnings of attacks in a cycle, in frames and in order. High frequencies count more, because attacks are
 * there.
 * @param channels of one length
 */
export function findTransients(
  channels: readonly Float32Array[],
  sampleRateHz: number,
): readonly number[] {
  const step = Math.round(STEP_SECONDS * sampleRateHz);
  const levels = edgeLevels(channels, step);
  const floor = FLOOR * levels.reduce((a, b) => Math.max(a, b), 0);
  if (floor === 0) return [];
  const count = levels.length;
  const levelAt = (at: number): number => levels[(at + count) % count] ?? 0;
  const rises = Array.from({ length: count }, (_, at) => {
    const after = largestOf(ATTACK_STEPS, (index) => levelAt(at + index));
    const before = largestOf(BEFORE_STEPS, (index) => levelAt(at - 1 - index));
    return (after + floor) / (before + floor);
  });
  return rises.flatMap((rise, at) => {
    if (rise < RISE) return [];
    const isNear = (offset: number): boolean => {
      const other = rises[(at + offset + count) % count] ?? 0;
      return other > rise || (other === rise && offset < 0);
    };
    const around = Array.from({ length: 2 * APART_STEPS + 1 }, (_, index) => index - APART_STEPS);
    if (around.some((offset) => offset !== 0 && isNear(offset))) return [];
    return [firstLoudStep(at, levelAt, rise) * step];
  });
}

/** Returns the first step of an attack that is clearly above what came before. */
function firstLoudStep(at: number, levelAt: (at: number) => number, rise: number): number {
  const high = largestOf(ATTACK_STEPS, (index) => levelAt(at + index));
  const wanted = high / Math.sqrt(rise);
  for (let index = 0; index < ATTACK_STEPS; index += 1) {
    if (levelAt(at + index) >= wanted) return at + index;
  }
  return at;
}

/** Returns root mean squares of the differences between neighboring samples, over all channels. */
function edgeLevels(channels: readonly Float32Array[], step: number): readonly number[] {
  const frames = channels[0]?.length ?? 0;
  return Array.from({ length: Math.floor(frames / step) }, (_, index) => {
    let sum = 0;
    for (const channel of channels) {
      for (let frame = index * step; frame < (index + 1) * step; frame += 1) {
        const before = channel[frame === 0 ? frames - 1 : frame - 1] ?? 0;
        sum += ((channel[frame] ?? 0) - before) ** 2;
      }
    }
    return Math.sqrt(sum / (step * channels.length));
  });
}

function largestOf(count: number, value: (index: number) => number): number {
  let largest = 0;
  for (let index = 0; index < count; index += 1) largest = Math.max(largest, value(index));
  return largest;
}

/** Time before an attack at which the file's own sound begins. */
const LEAD_SECONDS = 0.004;
const FADE_IN_SECONDS = 0.003;
/** Time after an attack at which the file's own sound ends, fade included, unless the next attack comes earlier. */
const KEPT_SECONDS = 0.06;
const FADE_OUT_SECONDS = 0.03;
/** Least length of an attack; a shorter one has no room for a fade. */
const SHORTEST_SECONDS = 0.012;

/** An attack's own sound and its place, in frames of a cycle. */
interface Kept {
  readonly from: number;
  readonly to: number;
  readonly frames: number;
}

/**
 * Replaces the attacks of a stretched cycle with those of the file. Changes `stretched`.
 * @param original one cycle of the file; `stretched` is as long in beats
 * @param transients in frames of the original
 */
export function keepTransients(
  stretched: Float32Array,
  original: Float32Array,
  {
    transients,
    sampleRateHz,
  }: { readonly transients: readonly number[]; readonly sampleRateHz: number },
): void {
  const ratio = stretched.length / original.length;
  const lead = Math.round(LEAD_SECONDS * sampleRateHz);
  transients.forEach((at, index) => {
    const next = transients[index + 1] ?? (transients[0] ?? 0) + original.length;
    const room = Math.floor((next - at) * Math.min(1, ratio));
    const frames = Math.min(room, Math.round((LEAD_SECONDS + KEPT_SECONDS) * sampleRateHz));
    if (frames < SHORTEST_SECONDS * sampleRateHz) return;
    const kept = { from: at - lead, to: Math.round(at * ratio) - lead, frames };
    blend(stretched, original, kept, sampleRateHz);
  });
}

function blend(
  stretched: Float32Array,
  original: Float32Array,
  { from, to, frames }: Kept,
  sampleRateHz: number,
): void {
  const fadeIn = FADE_IN_SECONDS * sampleRateHz;
  const fadeOut = Math.min(FADE_OUT_SECONDS * sampleRateHz, frames / 2);
  for (let frame = 0; frame < frames; frame += 1) {
    const weight = Math.min(1, (frame + 1) / fadeIn, (frames - frame) / fadeOut);
    const at = inCycle(to + frame, stretched.length);
    const own = original[inCycle(from + frame, original.length)] ?? 0;
    stretched[at] = (stretched[at] ?? 0) * (1 - weight) + own * weight;
  }
}

function inCycle(frame: number, frames: number): number {
  return ((frame % frames) + frames) % frames;
}
