import type { WavFormat } from "./wav-header.ts";

/** The layout of samples in a file. */
export type SampleLayout =
  /** Big-endian integers, as in every plain AIFF. */
  | "big"
  /** Little-endian integers or floats, as in a WAV. */
  | "little"
  /** Unsigned bytes: `raw ` in an AIFF-C, and 8 bits in a WAV. */
  | "unsigned"
  /** Big-endian floats of 32 bits. */
  | "float"
  /** Floats of 64 bits. */
  | "double"
  | "double little"
  /** Integers of 24 bits in the lower three bytes of four, little-endian. */
  | "24 in 32"
  /** Bytes of G.711. */
  | "mu-law"
  | "A-law";

/** The layout of a file's samples. */
export interface FileSamples {
  readonly samples: SampleLayout;
  /** Bytes of one sample in the file. */
  readonly sampleBytes: number;
}

/** The audio in a file, and the format of the WAV that it becomes. */
export interface FileAudio extends FileSamples {
  /** Integers keep all their bits, doubles are rounded to 32 bits, G.711 becomes 16 bits. */
  readonly wav: WavFormat;
  /** Offset of the first audio byte in the file. */
  readonly dataOffset: number;
  /** At least 1. */
  readonly frames: number;
}

/** Checks whether the samples already are those of a WAV. */
export function areWavSamples({ samples, sampleBytes }: FileSamples): boolean {
  return samples === "unsigned" || (samples === "little" && sampleBytes > 1);
}

/**
 * Converts samples to those of a WAV: little-endian, 8 bits unsigned, doubles as floats.
 * @param bytes whole samples of the file; may be changed in place
 */
export function toWavSamples(
  { samples, sampleBytes }: FileSamples,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (areWavSamples({ samples, sampleBytes })) return bytes;
  switch (samples) {
    case "double":
    case "double little":
      return doublesToFloats(bytes, samples === "double little");
    case "24 in 32":
      return bytes.filter((_, at) => at % 4 !== 3);
    case "mu-law":
    case "A-law":
      return expand(bytes, samples === "mu-law" ? MU_LAW : A_LAW);
    case "big":
    case "float":
    case "little":
    case "unsigned":
      return sampleBytes === 1 ? flipSigns(bytes) : reverseSamples(bytes, sampleBytes);
  }
}

function flipSigns(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0x80;
  return bytes;
}

function reverseSamples(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  for (let at = 0; at + size <= bytes.length; at += size) {
    for (let low = at, high = at + size - 1; low < high; low += 1, high -= 1) {
      const kept = bytes[low] ?? 0;
      bytes[low] = bytes[high] ?? 0;
      bytes[high] = kept;
    }
  }
  return bytes;
}

function doublesToFloats(
  bytes: Uint8Array<ArrayBuffer>,
  isLittleEndian: boolean,
): Uint8Array<ArrayBuffer> {
  const count = Math.floor(bytes.length / 8);
  const floats = new Uint8Array(count * 4);
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(floats.buffer);
  for (let index = 0; index < count; index += 1) {
    to.setFloat32(index * 4, from.getFloat64(index * 8, isLittleEndian), true);
  }
  return floats;
}

/** The 16-bit samples of the 256 bytes of G.711: a sign, three bits of exponent and four of mantissa. */
const MU_LAW = Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte;
  const size = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return (bits & 128) === 0 ? size : -size;
});
const A_LAW = Array.from({ length: 256 }, (_, byte) => {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (bits & 128) === 0 ? -size : size;
});

function expand(bytes: Uint8Array, table: readonly number[]): Uint8Array<ArrayBuffer> {
  const samples = new DataView(new ArrayBuffer(bytes.length * 2));
  for (const [at, byte] of bytes.entries()) samples.setInt16(at * 2, table[byte] ?? 0, true);
  return new Uint8Array(samples.buffer);
}
