import { channelsOf } from "../../../../core/audio/peaks.ts";
import { closeCycle, cutCycle, unrollCycle } from "./loop-cycle.ts";
import { findTransients } from "./find-transients.ts";
import { keepTransients } from "./keep-transients.ts";
import { StretchNode } from "./stretch-node.ts";
import { earlierSeconds, STRETCH_SETTINGS, type WarpMethod } from "./warp-method.ts";

/** A loop to render at another tempo. */
export interface CycleOptions {
  readonly sound: AudioBuffer;
  readonly method: WarpMethod;
  /** One cycle, in frames of the sound; beyond its end is silence. */
  readonly loopFrames: number;
  /** One cycle at the tempo wanted, in frames of the same rate. */
  readonly passFrames: number;
  /** How long the stretching module may take to start. */
  readonly limitMs: number;
}

/** Rendered before the cycle, so that the module is in the middle of the sound when it begins. */
const RUN_UP_SECONDS = 0.4;
/** The module looks ahead. */
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

/** The cycle stretched, from `start` frames before its beginning to its end. */
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
