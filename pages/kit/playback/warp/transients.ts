/** Levels are compared in steps of this length. */
const STEP_SECONDS = 0.001;
/** An attack is compared with what was just before it, for this long. */
const BEFORE_STEPS = 12;
const ATTACK_STEPS = 4;
/** An attack is at least this many times louder than what came before it. */
const RISE = 2.2;
/** Changes quieter than this part of the loudest attack are no attacks. */
const FLOOR = 0.04;
/** No two attacks are closer. */
const APART_STEPS = 35;

/**
 * Where attacks begin in a cycle, in frames and in order. High frequencies count more, because attacks are there.
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

/** The first step of an attack that is clearly above what came before. */
function firstLoudStep(at: number, levelAt: (at: number) => number, rise: number): number {
  const high = largestOf(ATTACK_STEPS, (index) => levelAt(at + index));
  const wanted = high / Math.sqrt(rise);
  for (let index = 0; index < ATTACK_STEPS; index += 1) {
    if (levelAt(at + index) >= wanted) return at + index;
  }
  return at;
}

/** Root mean squares of the differences between neighboring samples, over all channels. */
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

/** The file's own sound begins this long before an attack. */
const LEAD_SECONDS = 0.004;
const FADE_IN_SECONDS = 0.003;
/** The file's own sound goes on for this long after an attack, fade included, unless the next one comes earlier. */
const KEPT_SECONDS = 0.06;
const FADE_OUT_SECONDS = 0.03;
/** Where the next attack leaves less than this, there is no room for a fade. */
const SHORTEST_SECONDS = 0.012;

/** An attack's own sound, and where it goes. All in frames of a cycle. */
interface Kept {
  readonly from: number;
  readonly to: number;
  readonly frames: number;
}

/**
 * Puts attacks into a stretched cycle as they are in the file, where the stretched ones are. Changes `stretched`.
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
