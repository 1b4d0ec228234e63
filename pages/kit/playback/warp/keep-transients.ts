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
