import { channelsOf } from "../../../../core/audio/peaks.ts";
import { findTransients, keepTransients } from "./transients.ts";
import { StretchNode } from "./stretch.ts";
import { earlierSeconds, STRETCH_SETTINGS, type WarpMethod } from "./warp-method.ts";

/** A loop to render at another tempo. */
interface CycleOptions {
  readonly sound: AudioBuffer;
  readonly method: WarpMethod;
  /** One cycle, in frames of the sound; beyond its end is silence. */
  readonly loopFrames: number;
  /** One cycle at the tempo wanted, in frames of the same rate. */
  readonly passFrames: number;
  /** Time limit for the start of the stretching module. */
  readonly limitMs: number;
}

/** Time rendered before the cycle, so that the module is in the middle of the sound when the cycle begins. */
const RUN_UP_SECONDS = 0.4;
/** Input after the cycle, because the module looks ahead. */
const AHEAD_SECONDS = 0.4;
const BLEND_SECONDS = 0.03;

/**
 * Renders one cycle at another tempo and the same pitch: exactly `passFrames` long, and its end leads to its
 * beginning (rule V10).
 * @throws {Error} if stretching can't start here
 */
export async function renderCycle(options: CycleOptions): Promise<AudioBuffer> {
  const { sound, method, loopFrames, passFrames } = options;
  const { sampleRate, numberOfChannels } = sound;
  const cycles = channelsOf(sound).map((channel) => cutCycle(channel, loopFrames));
  const start = Math.round(RUN_UP_SECONDS * sampleRate);
  const rendered = channelsOf(await stretch(cycles, { ...options, start }));
  const blendFrames = Math.min(Math.round(BLEND_SECONDS * sampleRate), passFrames >> 2);
  const stretched = rendered.map((channel) =>
    closeCycle(channel, { start, frames: passFrames, blendFrames }),
  );
  if (method === "transients") {
    const transients = findTransients(cycles, sampleRate);
    stretched.forEach((channel, index) => {
      const original = cycles[index];
      if (original !== undefined)
        keepTransients(channel, original, { transients, sampleRateHz: sampleRate });
    });
  }
  const cycle = new AudioBuffer({ length: passFrames, numberOfChannels, sampleRate });
  stretched.forEach((channel, index) => cycle.copyToChannel(channel, index));
  return cycle;
}

/** Stretches the cycle, from `start` frames before its beginning to its end. */
async function stretch(
  cycles: readonly Float32Array[],
  {
    sound,
    method,
    loopFrames,
    passFrames,
    limitMs,
    start,
  }: CycleOptions & { readonly start: number },
): Promise<AudioBuffer> {
  const { sampleRate, numberOfChannels } = sound;
  const context = new OfflineAudioContext(numberOfChannels, start + passFrames, sampleRate);
  const module = await StretchNode.open(context, { channels: numberOfChannels, limitMs });
  const rate = loopFrames / passFrames;
  const ahead = Math.round(AHEAD_SECONDS * sampleRate);
  const before = Math.ceil(start * rate) + ahead;
  const after = ahead + Math.ceil(ahead * rate);
  await module.configure(STRETCH_SETTINGS[method]);
  await module.addBuffers(cycles.map((cycle) => unrollCycle(cycle, { before, after })));
  const earlier = earlierSeconds(method, passFrames / loopFrames);
  const input = (before - start * rate) / sampleRate + earlier * rate;
  await module.schedule({ output: 0, input, rate });
  module.node.connect(context.destination);
  return context.startRendering();
}

// One cycle of a loop as samples. A cycle repeats: what comes before its first frame is its end.

/** Cuts a channel's first frames, with silence where the file ends before the loop. */
function cutCycle(channel: Float32Array, frames: number): Float32Array<ArrayBuffer> {
  const cycle = new Float32Array(frames);
  cycle.set(channel.subarray(0, frames));
  return cycle;
}

/** Repeats the cycle, from `before` frames before its beginning to `after` frames past its end. */
function unrollCycle(
  cycle: Float32Array,
  { before, after }: { readonly before: number; readonly after: number },
): Float32Array<ArrayBuffer> {
  const unrolled = new Float32Array(before + cycle.length + after);
  const first = (cycle.length - (before % cycle.length)) % cycle.length;
  for (let at = 0, from = first; at < unrolled.length; from = 0) {
    const piece = cycle.subarray(from, from + unrolled.length - at);
    unrolled.set(piece, at);
    at += piece.length;
  }
  return unrolled;
}

/**
 * Makes a cycle without a seam from the frames after `start`: its end blends into what was rendered just before its
 * beginning, so that the last frame leads to the first.
 * @param blendFrames at most `start` and `frames`
 */
function closeCycle(
  rendered: Float32Array,
  {
    start,
    frames,
    blendFrames,
  }: { readonly start: number; readonly frames: number; readonly blendFrames: number },
): Float32Array<ArrayBuffer> {
  const cycle = Float32Array.from(rendered.subarray(start, start + frames));
  for (let frame = 0; frame < blendFrames; frame += 1) {
    const at = frames - blendFrames + frame;
    const weight = (frame + 1) / blendFrames;
    const before = rendered[start - blendFrames + frame] ?? 0;
    cycle[at] = (cycle[at] ?? 0) * (1 - weight) + before * weight;
  }
  return cycle;
}
