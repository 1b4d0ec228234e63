import type { WavHeader } from "../../../../core/audio/wav-header.ts";

export type SampleFormat = Pick<WavHeader, "encoding" | "bitsPerSample">;

/**
 * Converts a block's samples to floats, where full scale is 1, times a factor. Doesn't clip.
 *
 * @param block whole little-endian samples from the buffer's first byte on
 * @param target with room for one float per sample
 * @returns the filled part of `target`
 */
export function scaleSamples(
  block: Uint8Array,
  { encoding, bitsPerSample }: SampleFormat,
  factor: number,
  target: Float32Array,
): Float32Array {
  const count = block.byteLength / (bitsPerSample / 8);
  const { buffer } = block;
  if (bitsPerSample === 24) scale24(block, factor, target);
  else if (bitsPerSample === 8) scaleFrom(block, factor / 0x80, target, 0x80);
  else if (bitsPerSample === 16)
    scaleFrom(new Int16Array(buffer, 0, count), factor / 0x8000, target);
  else if (encoding === "float") scaleFrom(new Float32Array(buffer, 0, count), factor, target);
  else scaleFrom(new Int32Array(buffer, 0, count), factor / 0x8000_0000, target);
  return target.subarray(0, count);
}

/** @param silence the sample value of silence */
function scaleFrom(
  samples: Uint8Array | Int16Array | Int32Array | Float32Array,
  factor: number,
  target: Float32Array,
  silence = 0,
): void {
  for (let index = 0; index < samples.length; index += 1) {
    target[index] = ((samples[index] ?? 0) - silence) * factor;
  }
}

/** Shifts the three bytes into the upper 24 of 32 bits, which keeps the sign. */
function scale24(block: Uint8Array, factor: number, target: Float32Array): void {
  const step = factor / 0x8000_0000;
  for (let at = 0, index = 0; at < block.length; at += 3, index += 1) {
    const upper = ((block[at + 2] ?? 0) << 24) | ((block[at + 1] ?? 0) << 16);
    target[index] = (upper | ((block[at] ?? 0) << 8)) * step;
  }
}
