import type { WavFormat } from "./wav-header.ts";
import type { LoopHints } from "./read-loop-hints.ts";

/** The layout of an AIFF's samples in the file. */
export type AiffSamples =
  /** Big-endian integers, as in every plain AIFF. */
  | "big"
  /** Little-endian integers: `sowt`. */
  | "little"
  /** Unsigned bytes: `raw `. */
  | "unsigned"
  /** Big-endian floats of 32 bits. */
  | "float"
  /** Big-endian floats of 64 bits. */
  | "double";

/** The audio format and data position of an AIFF or AIFF-C, and the WAV that it becomes. */
export interface AiffHeader {
  readonly samples: AiffSamples;
  /** Bytes of one sample in the file. */
  readonly sampleBytes: number;
  /** The format of the WAV: integers keep all their bits, doubles are rounded to 32 bits. */
  readonly wav: WavFormat;
  /** Offset of the first audio byte in the file. */
  readonly dataOffset: number;
  /** At least 1. */
  readonly frames: number;
  /** Loop metadata, unverified. */
  readonly hints: LoopHints;
}

/** Sample layouts of the uncompressed kinds of AIFF-C, by their four-character code. */
const UNCOMPRESSED: Readonly<Record<string, AiffSamples>> = {
  NONE: "big",
  twos: "big",
  in24: "big",
  in32: "big",
  sowt: "little",
  "raw ": "unsigned",
  fl32: "float",
  FL32: "float",
  fl64: "double",
  FL64: "double",
};

/** Common names of the compressed kinds. */
const COMPRESSED: Readonly<Record<string, string>> = {
  ima4: "IMA ADPCM",
  ulaw: "mu-law",
  ULAW: "mu-law",
  alaw: "A-law",
  ALAW: "A-law",
  MAC3: "MACE 3:1",
  MAC6: "MACE 6:1",
  GSM: "GSM 6.10",
  G722: "G.722",
  G726: "G.726 ADPCM",
  QDMC: "QDesign Music",
  QDM2: "QDesign Music",
};

/** Returns the sample layout of a kind of AIFF-C; undefined if it is compressed or unknown. */
export function samplesOfCodec(code: string): AiffSamples | undefined {
  return Object.hasOwn(UNCOMPRESSED, code) ? UNCOMPRESSED[code] : undefined;
}

/** Returns the codec's common name, or its code if that is unknown. */
export function aiffCodecName(code: string): string {
  const trimmed = code.trim();
  return (Object.hasOwn(COMPRESSED, trimmed) && COMPRESSED[trimmed]) || trimmed || "unknown";
}

/**
 * Converts an AIFF's samples to those of a WAV: little-endian, 8 bits unsigned, doubles as floats.
 * @param bytes whole samples of the file; changed in place unless they are doubles
 */
export function aiffToWavBytes(
  { samples, sampleBytes }: Pick<AiffHeader, "samples" | "sampleBytes">,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (samples === "double") return doublesToFloats(bytes);
  if (sampleBytes === 1) return samples === "unsigned" ? bytes : flipSigns(bytes);
  if (samples === "little") return bytes;
  return reverseSamples(bytes, sampleBytes);
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

function doublesToFloats(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const count = Math.floor(bytes.length / 8);
  const floats = new Uint8Array(count * 4);
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(floats.buffer);
  for (let index = 0; index < count; index += 1) {
    to.setFloat32(index * 4, from.getFloat64(index * 8), true);
  }
  return floats;
}
