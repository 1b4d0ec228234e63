import type { ReadAt } from "./read-wav-header-at.ts";
import { blockAlign, type WavFormat, type WavHeader } from "./wav-header.ts";

/** Frames that are decoded at a time, unless a reader asks for others. */
const PIECE_FRAMES = 65_536;

/** A span of a sound, in frames. */
export interface FrameSpan {
  /** Default: 0. */
  readonly fromFrame?: number;
  /** The frame after the last; default: the sound's end. */
  readonly endFrame?: number;
}

/**
 * Reads the audio of a WAV piece by piece, each as the samples of every channel, from -1 to 1. Floats may exceed that.
 * @throws {RangeError} if the file ends before its header says
 */
export async function* readSamples(
  readAt: ReadAt,
  header: WavHeader,
  { fromFrame = 0, endFrame = header.frames }: FrameSpan = {},
): AsyncGenerator<readonly Float32Array[]> {
  const frameBytes = blockAlign(header);
  for (let frame = fromFrame; frame < endFrame; frame += PIECE_FRAMES) {
    const bytes = Math.min(PIECE_FRAMES, endFrame - frame) * frameBytes;
    const piece = await readAt(header.dataOffset + frame * frameBytes, bytes);
    if (piece.byteLength < bytes) throw new RangeError("The file is shorter than its header says.");
    yield decodeSamples(piece, header);
  }
}

/** Decodes whole frames of a WAV's audio to the samples of every channel, from -1 to 1. */
export function decodeSamples(bytes: Uint8Array, format: WavFormat): readonly Float32Array[] {
  const { channels, encoding, bitsPerSample } = format;
  const frames = Math.floor(bytes.byteLength / blockAlign(format));
  const decode = DECODERS[encoding === "float" ? "float" : bitsPerSample](bytes);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    decode(samples, channel, channels);
    return samples;
  });
}

/** Fills samples with every `step`th value, from one on. */
type Decode = (samples: Float32Array, from: number, step: number) => void;

// A loop of its own for each size is several times faster than one that asks for the size at each sample.
const DECODERS = {
  8: (bytes: Uint8Array): Decode => {
    return (samples, from, step) => {
      for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
        samples[index] = ((bytes[at] ?? 0) - 128) / 128;
      }
    };
  },
  16: (bytes: Uint8Array): Decode => {
    const values = new Int16Array(...placeOf(bytes, 2));
    return (samples, from, step) => {
      for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
        samples[index] = (values[at] ?? 0) / 32_768;
      }
    };
  },
  24: (bytes: Uint8Array): Decode => {
    return (samples, from, step) => {
      for (let index = 0, at = from * 3; index < samples.length; index += 1, at += step * 3) {
        const [low = 0, middle = 0, high = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
        samples[index] = ((high << 24) | (middle << 16) | (low << 8)) / 2_147_483_648;
      }
    };
  },
  32: (bytes: Uint8Array): Decode => {
    const values = new Int32Array(...placeOf(bytes, 4));
    return (samples, from, step) => {
      for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
        samples[index] = (values[at] ?? 0) / 2_147_483_648;
      }
    };
  },
  float: (bytes: Uint8Array): Decode => {
    const values = new Float32Array(...placeOf(bytes, 4));
    return (samples, from, step) => {
      for (let index = 0, at = from; index < samples.length; index += 1, at += step) {
        samples[index] = values[at] ?? 0;
      }
    };
  },
};

/** Returns where a typed array of these values lies; they are copied if they don't begin at a multiple of their size. */
function placeOf(bytes: Uint8Array, size: number): [ArrayBufferLike, number, number] {
  const { buffer, byteOffset } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  return [buffer, byteOffset, Math.floor(bytes.byteLength / size)];
}
