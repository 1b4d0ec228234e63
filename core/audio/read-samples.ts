import type { ReadAt } from "./read-wav-header-at.ts";
import { blockAlign, type WavFormat, type WavHeader } from "./wav-header.ts";

/** Frames that are decoded at a time. */
const PIECE_FRAMES = 65_536;

/**
 * Reads the audio of a WAV piece by piece, each as the samples of every channel, from -1 to 1. Floats may exceed that.
 * @throws {RangeError} if the file ends before its header says
 */
export async function* readSamples(
  readAt: ReadAt,
  header: WavHeader,
): AsyncGenerator<readonly Float32Array[]> {
  const frameBytes = blockAlign(header);
  for (let frame = 0; frame < header.frames; frame += PIECE_FRAMES) {
    const bytes = Math.min(PIECE_FRAMES, header.frames - frame) * frameBytes;
    const piece = await readAt(header.dataOffset + frame * frameBytes, bytes);
    if (piece.byteLength < bytes) throw new RangeError("The file is shorter than its header says.");
    yield decodeSamples(piece, header);
  }
}

/** Decodes whole frames of a WAV's audio to the samples of every channel, from -1 to 1. */
export function decodeSamples(bytes: Uint8Array, format: WavFormat): readonly Float32Array[] {
  const { channels, encoding, bitsPerSample } = format;
  const frameBytes = blockAlign(format);
  const frames = Math.floor(bytes.byteLength / frameBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fill = FILL[encoding === "float" ? "float" : bitsPerSample];
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    fill(view, samples, (channel * bitsPerSample) / 8, frameBytes);
    return samples;
  });
}

// A loop of its own for each size: one that asks for the size at each sample is several times slower.
const FILL = {
  8: (view: DataView, samples: Float32Array, from: number, step: number) => {
    for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
      samples[index] = (view.getUint8(at) - 128) / 128;
    }
  },
  16: (view: DataView, samples: Float32Array, from: number, step: number) => {
    for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
      samples[index] = view.getInt16(at, true) / 32_768;
    }
  },
  24: (view: DataView, samples: Float32Array, from: number, step: number) => {
    for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
      samples[index] = (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 8_388_608;
    }
  },
  32: (view: DataView, samples: Float32Array, from: number, step: number) => {
    for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
      samples[index] = view.getInt32(at, true) / 2_147_483_648;
    }
  },
  float: (view: DataView, samples: Float32Array, from: number, step: number) => {
    for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
      samples[index] = view.getFloat32(at, true);
    }
  },
};
