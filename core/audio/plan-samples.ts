import { MAX_SAMPLE_RATE_HZ } from "../limits.ts";
import type { Chunk } from "./read-chunks.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { type RepairNote, repairNote } from "./repair-note.ts";
import type { FileAudio, FileSamples } from "./samples.ts";
import { A_LAW, codecName, type FormatFields, MU_LAW, readFormatFields } from "./wav-chunks.ts";
import { FLOAT, PCM, type WavFormat } from "./wav-header.ts";

/** The audio of a WAV whose samples are to be read. */
interface AudioPlace {
  readonly before: readonly Chunk[];
  readonly dataOffset: number;
  readonly dataBytes: number;
  readonly isLittleEndian: boolean;
}

interface PlannedSamples extends FileSamples {
  readonly notes: readonly RepairNote[];
}

type Planned = PlannedSamples & Pick<WavFormat, "encoding" | "bitsPerSample">;

/**
 * Plans how a WAV's samples become those of a WAV that a relay accepts; undefined if they can't. A block align that
 * contradicts the format is ignored, as in every player.
 */
export async function planSamples(
  readAt: ReadAt,
  place: AudioPlace,
): Promise<(PlannedSamples & Pick<FileAudio, "wav">) | undefined> {
  const { before, isLittleEndian } = place;
  const body = before.find(({ name }) => name === "fmt ")?.body;
  const fields = body && readFormatFields(body, isLittleEndian);
  if (fields === undefined) return undefined;
  const { channels, sampleRateHz } = fields;
  if (channels !== 1 && channels !== 2) return undefined;
  if (sampleRateHz < 1 || sampleRateHz > MAX_SAMPLE_RATE_HZ) return undefined;
  const planned = (await planPadded(readAt, place, fields)) ?? planPacked(fields, isLittleEndian);
  if (planned === undefined) return undefined;
  const { samples, sampleBytes, encoding, bitsPerSample } = planned;
  const isAligned = fields.blockAlign === channels * sampleBytes;
  const notes = [...planned.notes, ...(isAligned ? [] : [repairNote("repair.blockAlign")])];
  const wav: WavFormat = { encoding, channels, sampleRateHz, bitsPerSample };
  return { samples, sampleBytes, wav, notes };
}

function planPacked({ tag, bits }: FormatFields, isLittleEndian: boolean): Planned | undefined {
  const float = { encoding: "float", bitsPerSample: 32 } as const;
  if (tag === FLOAT && bits === 64) {
    const samples = isLittleEndian ? "double little" : "double";
    return { ...float, samples, sampleBytes: 8, notes: [repairNote("repair.double")] };
  }
  if (tag === FLOAT && bits === 32) {
    return { ...float, samples: isLittleEndian ? "little" : "float", sampleBytes: 4, notes: [] };
  }
  if (tag === MU_LAW || tag === A_LAW) {
    const samples = tag === MU_LAW ? "mu-law" : "A-law";
    const notes = [repairNote("repair.codec", codecName(tag))];
    return { samples, sampleBytes: 1, encoding: "pcm", bitsPerSample: 16, notes };
  }
  const size = SIZES.find(({ bitsPerSample }) => bits >= 1 && bits <= bitsPerSample);
  if (tag !== PCM || size === undefined) return undefined;
  const { sampleBytes, bitsPerSample } = size;
  const samples = sampleBytes === 1 ? "unsigned" : isLittleEndian ? "little" : "big";
  const notes = bits === bitsPerSample ? [] : [paddedNote(bits, bitsPerSample)];
  return { encoding: "pcm", ...size, samples, notes };
}

const SIZES = [
  { sampleBytes: 1, bitsPerSample: 8 },
  { sampleBytes: 2, bitsPerSample: 16 },
  { sampleBytes: 3, bitsPerSample: 24 },
  { sampleBytes: 4, bitsPerSample: 32 },
] as const;

function paddedNote(bits: number, bitsPerSample: number): RepairNote {
  return repairNote("repair.padded", String(bits), bitsPerSample);
}

/** Plans integers of up to 24 bits in four bytes each; undefined if the block align doesn't say so, or is wrong. */
async function planPadded(
  readAt: ReadAt,
  { dataOffset, dataBytes, isLittleEndian }: AudioPlace,
  { tag, bits, channels, blockAlign }: FormatFields,
): Promise<Planned | undefined> {
  const isThreeInFour = bits > 16 && bits <= 24 && blockAlign === channels * 4;
  if (tag !== PCM || !isThreeInFour || !isLittleEndian) return undefined;
  const padding = await findPadding(readAt, dataOffset, dataBytes);
  if (padding === null) return undefined;
  const size =
    padding === "low"
      ? ({ samples: "little", bitsPerSample: 32 } as const)
      : ({ samples: "24 in 32", bitsPerSample: 24 } as const);
  return {
    ...size,
    sampleBytes: 4,
    encoding: "pcm",
    notes: [paddedNote(bits, size.bitsPerSample)],
  };
}

/** Bytes that are searched at a time. */
const PIECE_BYTES = 65_536;

/**
 * Finds which byte of every four is padding: the lowest, or the highest, which repeats the sign or is 0. Returns null if
 * neither is, so that three bytes are a sample.
 */
async function findPadding(
  readAt: ReadAt,
  fromOffset: number,
  bytes: number,
): Promise<"low" | "high" | null> {
  let [isLow, isSign, isZero] = [true, true, true];
  for (let from = 0; from < bytes && isLow && (isSign || isZero); from += PIECE_BYTES) {
    const piece = await readAt(fromOffset + from, Math.min(PIECE_BYTES, bytes - from));
    for (let at = 3; at < piece.length; at += 4) {
      const [lowest, middle = 0, highest] = [piece[at - 3], piece[at - 1], piece[at]];
      isLow &&= lowest === 0;
      isSign &&= highest === (middle < 128 ? 0 : 255);
      isZero &&= highest === 0;
    }
  }
  if (isLow) return "low";
  return isSign || isZero ? "high" : null;
}
