import type { LoopHints } from "./read-loop-hints.ts";
import type { FileAudio, SampleLayout } from "./samples.ts";

/** The audio of an AIFF or AIFF-C, and the WAV that it becomes. */
export interface AiffHeader extends FileAudio {
  /** Loop metadata, unverified. */
  readonly hints: LoopHints;
}

/** Sample layouts of the uncompressed kinds of AIFF-C, by their four-character code. */
const UNCOMPRESSED: Readonly<Record<string, SampleLayout>> = {
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
export function samplesOfCodec(code: string): SampleLayout | undefined {
  return Object.hasOwn(UNCOMPRESSED, code) ? UNCOMPRESSED[code] : undefined;
}

/** Returns the codec's common name, or its code if that is unknown. */
export function aiffCodecName(code: string): string {
  const trimmed = code.trim();
  return (Object.hasOwn(COMPRESSED, trimmed) && COMPRESSED[trimmed]) || trimmed || "unknown";
}
