import { MAX_SAMPLE_RATE_HZ } from "../limits.ts";
import { refusal } from "../protocol/refusal.ts";
import { readLoopChunks } from "./read-loop-hints.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { aiffCodecName, type AiffHeader, samplesOfCodec } from "./aiff-header.ts";
import { textAt } from "./file-start.ts";
import { type Chunk, readChunks } from "./read-chunks.ts";
import type { SampleLayout } from "./samples.ts";

const FORM_HEADER_BYTES = 12;
/** Bytes of a `COMM` chunk up to its sample rate, and up to the code of an AIFF-C's codec. */
const COMMON_BYTES = 18;
const COMMON_CODEC_BYTES = 22;
/** Bytes of an `SSND` chunk before its audio. */
const SOUND_HEADER_BYTES = 8;
const EXPONENT_BIAS = 16_383;

/** The contents of a `COMM` chunk. */
interface Common {
  readonly channels: number;
  readonly frames: number;
  readonly bits: number;
  readonly rateHz: number;
  readonly codec: string;
}

/**
 * Reads the header of an AIFF or AIFF-C by random access. Never reads or trusts anything beyond the file.
 * @param fileBytes size of the whole file; the audio must lie inside it
 * @param fileName for the sentence of a refusal
 * @throws {Refusal} a `WAV_…` of rule U4 for what can't become a WAV; errors of `readAt` propagate
 */
export async function readAiffAt(
  readAt: ReadAt,
  fileBytes: number,
  fileName: string,
): Promise<AiffHeader> {
  const file = fileName;
  const isCompressible =
    textAt(await readAt(0, Math.min(FORM_HEADER_BYTES, fileBytes)), 8) === "AIFC";
  const found = await readChunks(readAt, FORM_HEADER_BYTES, fileBytes, false);
  // The first chunk of each name counts.
  const chunks = new Map(found.toReversed().map((chunk) => [chunk.name, chunk]));
  const comm = chunks.get("COMM");
  if (comm === undefined) throw refusal("WAV_NO_FORMAT", { file });
  const common = readCommon(comm, isCompressible);
  if (common === undefined) throw refusal("WAV_FORMAT_BROKEN", { file });
  const { frames } = common;
  const format = wavFormatOf(common, file);
  const { channels, sampleRateHz } = format.wav;
  const sound = chunks.get("SSND");
  if (sound === undefined || frames === 0) throw refusal("WAV_NO_DATA", { file });
  if (sound.body.byteLength < SOUND_HEADER_BYTES) throw refusal("WAV_CUT_SHORT", { file });
  const dataOffset = sound.bodyOffset + SOUND_HEADER_BYTES + sound.body.getUint32(0);
  const dataEnd = dataOffset + frames * channels * format.sampleBytes;
  if (dataEnd > Math.min(fileBytes, sound.bodyOffset + sound.bodyBytes)) {
    throw refusal("WAV_CUT_SHORT", { file });
  }
  const bodyOf = (name: string): DataView | undefined => chunks.get(name)?.body;
  return { ...format, dataOffset, frames, hints: readLoopChunks(bodyOf, { frames, sampleRateHz }) };
}

/** Reads a `COMM` chunk; undefined if the chunk is too short or has no valid sample rate. */
function readCommon({ body }: Chunk, isCompressible: boolean): Common | undefined {
  if (body.byteLength < (isCompressible ? COMMON_CODEC_BYTES : COMMON_BYTES)) return undefined;
  const rateHz = readExtended(body, 8);
  if (!(rateHz > 0)) return undefined;
  return {
    channels: body.getUint16(0),
    frames: body.getUint32(2),
    bits: body.getUint16(6),
    rateHz,
    codec: isCompressible ? textAt(bytesOf(body), COMMON_BYTES) : "NONE",
  };
}

/** Reads a float of 80 bits; NaN, infinity and negative numbers become 0. */
function readExtended(view: DataView, at: number): number {
  const exponent = view.getUint16(at);
  const isNegative = exponent >= 0x8000;
  const mantissa = view.getUint32(at + 2) + view.getUint32(at + 6) / 2 ** 32;
  const value = mantissa * 2 ** (exponent - EXPONENT_BIAS - 31);
  return !isNegative && Number.isFinite(value) ? value : 0;
}

/** @throws {Refusal} for the first problem in the order codec, channels, bits, sample rate */
function wavFormatOf({ codec, channels, bits, rateHz }: Common, file: string) {
  const samples = samplesOfCodec(codec);
  if (samples === undefined) {
    throw refusal("WAV_COMPRESSED", { file, codec: aiffCodecName(codec) });
  }
  if (channels !== 1 && channels !== 2) {
    throw refusal("WAV_CHANNELS_UNSUPPORTED", { file, channels });
  }
  const sampleBytes = sampleBytesOf(samples, bits);
  if (sampleBytes === undefined) throw refusal("WAV_BITS_UNSUPPORTED", { file, bits });
  const sampleRateHz = Math.round(rateHz);
  if (sampleRateHz < 1 || sampleRateHz > MAX_SAMPLE_RATE_HZ) {
    throw refusal("WAV_RATE_UNSUPPORTED", { file, rate: sampleRateHz });
  }
  const isFloat = samples === "float" || samples === "double";
  const bitsPerSample = isFloat ? 32 : bitsOf(sampleBytes);
  const wav = {
    encoding: isFloat ? "float" : "pcm",
    channels,
    sampleRateHz,
    bitsPerSample,
  } as const;
  return { samples, sampleBytes, wav };
}

/**
 * Returns the bytes of a sample. An integer of any size fills whole bytes, from the top; a float's size follows from
 * its codec.
 */
function sampleBytesOf(samples: SampleLayout, bits: number): 1 | 2 | 3 | 4 | 8 | undefined {
  if (samples === "float") return 4;
  if (samples === "double") return 8;
  if (bits < 1 || bits > 32 || (samples === "unsigned" && bits > 8)) return undefined;
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 24 ? 3 : 4;
}

function bitsOf(sampleBytes: 1 | 2 | 3 | 4 | 8): 8 | 16 | 24 | 32 {
  return sampleBytes === 1 ? 8 : sampleBytes === 2 ? 16 : sampleBytes === 3 ? 24 : 32;
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
