import type { LoopHints } from "./read-loop-hints.ts";
import type { WavFormat } from "./read-format.ts";

/** How an AIFF's samples lie in the file. */
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
