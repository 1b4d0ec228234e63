import { MAX_PACKAGE_BYTES, MAX_SAMPLE_RATE_HZ } from "../limits.ts";
import { type Refusal, refusal } from "../protocol/refusal.ts";
import {
  blockAlign,
  CHUNK_HEADER_BYTES,
  FLOAT,
  fourCc,
  PCM,
  type WavFormat,
  type WavHeader,
} from "./wav-header.ts";

const WAVE = fourCc("WAVE");

/**
 * Validates a file's RIFF header (rule U4). Ignores the RIFF size, which isn't reliable.
 * @param container bytes 0 to 3, little-endian
 * @param form bytes 8 to 11, little-endian
 * @returns undefined for a plain WAV
 */
export function judgeContainer(
  container: number,
  form: number,
  fileName: string,
): Refusal | undefined {
  const file = fileName;
  // `version https://git-lfs…`
  if (container === fourCc("vers") && form === fourCc("http"))
    return refusal("WAV_LFS_POINTER", { file });
  if (form !== WAVE) return refusal("WAV_NOT_RIFF", { file });
  switch (container) {
    case fourCc("RIFF"):
      return undefined;
    case fourCc("RIFX"):
      return refusal("WAV_RIFX", { file });
    case fourCc("RF64"):
      return refusal("WAV_RF64", { file, container: "RF64" });
    case fourCc("BW64"):
      return refusal("WAV_RF64", { file, container: "BW64" });
    default:
      return refusal("WAV_NOT_RIFF", { file });
  }
}

/** Bytes of the shortest `fmt ` chunk. */
export const MIN_FORMAT_BYTES = 16;
/** Relevant bytes of a `fmt ` chunk: a whole WAVE_FORMAT_EXTENSIBLE. */
export const MAX_FORMAT_BYTES = 40;

const EXTENSIBLE = 0xfffe;

/** The subformat GUID after its format tag, as four little-endian numbers. */
const GUID_TAIL = [0x0000, 0x0010_0000, 0xaa00_0080, 0x719b_3800] as const;

/** The fields of a `fmt ` chunk, unverified. */
export interface FormatFields {
  /** An EXTENSIBLE chunk has it in its GUID; undefined for an unknown GUID. */
  readonly tag: number | undefined;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bits: number;
  readonly blockAlign: number;
}

/**
 * Reads the fields of a `fmt ` chunk's body; undefined if it is too short. Ignores the byte rate, valid bits and speaker
 * mask.
 */
export function readFormatFields(bytes: DataView, isLittleEndian = true): FormatFields | undefined {
  if (bytes.byteLength < MIN_FORMAT_BYTES) return undefined;
  let tag: number | undefined = bytes.getUint16(0, isLittleEndian);
  if (tag === EXTENSIBLE) {
    if (bytes.byteLength < MAX_FORMAT_BYTES) return undefined;
    tag = isLittleEndian ? readSubformatTag(bytes) : bytes.getUint16(26);
  }
  return {
    tag,
    channels: bytes.getUint16(2, isLittleEndian),
    sampleRateHz: bytes.getUint32(4, isLittleEndian),
    bits: bytes.getUint16(14, isLittleEndian),
    blockAlign: bytes.getUint16(12, isLittleEndian),
  };
}

/**
 * Reads the body of a `fmt ` chunk (rule U4): 8, 16, 24 or 32-bit PCM or 32-bit float, mono or stereo,
 * with matching block align. Refuses for the first problem in the order
 * codec, channels, bits, sample rate, block align.
 * @param bytes the first 16 to 40 bytes of the body; all 40 if the chunk has them
 */
export function readFormat(bytes: DataView, fileName: string): WavFormat | Refusal {
  const file = fileName;
  const fields = readFormatFields(bytes);
  if (fields === undefined) return refusal("WAV_FORMAT_BROKEN", { file });
  const { tag, channels, bits, sampleRateHz: rate, blockAlign: got } = fields;
  if (tag !== PCM && tag !== FLOAT) {
    const codec = tag === undefined ? "unknown" : codecName(tag);
    return refusal("WAV_COMPRESSED", { file, codec });
  }
  if (channels !== 1 && channels !== 2) {
    return refusal("WAV_CHANNELS_UNSUPPORTED", { file, channels });
  }
  if (tag === FLOAT && bits !== 32) return refusal("WAV_FLOAT_UNSUPPORTED", { file, bits });
  if (!isSupported(bits)) return refusal("WAV_BITS_UNSUPPORTED", { file, bits });
  if (rate < 1 || rate > MAX_SAMPLE_RATE_HZ) return refusal("WAV_RATE_UNSUPPORTED", { file, rate });

  const encoding = tag === PCM ? "pcm" : "float";
  const format: WavFormat = { encoding, channels, sampleRateHz: rate, bitsPerSample: bits };
  const expected = blockAlign(format);
  if (got !== expected) return refusal("WAV_BLOCK_ALIGN_WRONG", { file, got, expected });
  return format;
}

/** Reads the format tag in an EXTENSIBLE format's GUID; undefined for an unknown GUID. */
function readSubformatTag(bytes: DataView): number | undefined {
  const guidOffset = 24;
  const tail = [bytes.getUint16(guidOffset + 2, true)];
  for (const at of [4, 8, 12]) tail.push(bytes.getUint32(guidOffset + at, true));
  return GUID_TAIL.every((part, index) => part === tail[index])
    ? bytes.getUint16(guidOffset, true)
    : undefined;
}

function isSupported(bits: number): bits is WavHeader["bitsPerSample"] {
  return bits === 8 || bits === 16 || bits === 24 || bits === 32;
}

/** Format tags of G.711. */
export const A_LAW = 0x0006;
export const MU_LAW = 0x0007;

/** Common names of the codecs found in WAVs, by format tag. */
const CODEC_NAMES: ReadonlyMap<number, string> = new Map([
  [0x0002, "MS ADPCM"],
  [A_LAW, "A-law"],
  [MU_LAW, "mu-law"],
  [0x0011, "IMA ADPCM"],
  [0x0022, "TrueSpeech"],
  [0x0031, "GSM 6.10"],
  [0x0040, "G.721 ADPCM"],
  [0x0050, "MPEG"],
  [0x0055, "MP3"],
  [0x0064, "G.726 ADPCM"],
  [0x0092, "AC-3"],
  [0x00ff, "AAC"],
  [0x0160, "WMA"],
  [0x0161, "WMA"],
  [0x0162, "WMA Pro"],
  [0x0163, "WMA Lossless"],
  [0x0270, "ATRAC3"],
  [0x1600, "AAC"],
  [0x1610, "AAC"],
  [0x2000, "AC-3"],
  [0x2001, "DTS"],
  [0x566f, "Ogg Vorbis"],
  [0x674f, "Ogg Vorbis"],
  [0x6750, "Ogg Vorbis"],
  [0x6751, "Ogg Vorbis"],
  [0x676f, "Ogg Vorbis"],
  [0x6770, "Ogg Vorbis"],
  [0x6771, "Ogg Vorbis"],
  [0x704f, "Opus"],
  [0xa106, "AAC"],
  [0xf1ac, "FLAC"],
]);

/** Returns the codec name of a format tag, or its hex number (`0x1234`) if unknown. */
export function codecName(formatTag: number): string {
  return CODEC_NAMES.get(formatTag) ?? `0x${formatTag.toString(16).padStart(4, "0").toUpperCase()}`;
}

/**
 * A size from here on that exceeds the file is the placeholder of a program that wrote to a
 * pipe: 0x7FFFF000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF and the like, some minus the header's size.
 */
const PLACEHOLDER_SIZE = 0x7fff_0000;
/** Smaller placeholders above the largest file are round: in decimals, or a header away from a power of two. */
const ROUND_BYTES = 1_000_000;
const LONGEST_HEADER_BYTES = 4096;

function isPlaceholder(bytes: number): boolean {
  if (bytes === 0 || bytes >= PLACEHOLDER_SIZE) return true;
  if (bytes <= MAX_PACKAGE_BYTES) return false;
  const fromPowerOfTwo = Math.abs(bytes - 2 ** Math.round(Math.log2(bytes)));
  return bytes % ROUND_BYTES === 0 || fromPowerOfTwo <= LONGEST_HEADER_BYTES;
}

/** The sizes in the headers of a file and of its `data` chunk. */
export interface ClaimedSizes {
  /** The size in the RIFF header. */
  readonly riffBytes: number;
  readonly dataBytes: number;
  readonly fileBytes: number;
}

/**
 * Finds what is wrong with a `data` chunk that exceeds the file: its size was unknown when it was written, or is not
 * that of a file which by its RIFF header is whole, or the file's end is missing.
 */
export function findLengthFault({
  riffBytes,
  dataBytes,
  fileBytes,
}: ClaimedSizes): "WAV_STREAMED" | "WAV_LENGTH_WRONG" | "WAV_CUT_SHORT" {
  if (isPlaceholder(dataBytes) || isPlaceholder(riffBytes)) return "WAV_STREAMED";
  return riffBytes + CHUNK_HEADER_BYTES <= fileBytes ? "WAV_LENGTH_WRONG" : "WAV_CUT_SHORT";
}

/** A `data` chunk's position in its file, and its size, above 0. */
interface DataPlace extends ClaimedSizes {
  /** Offset of the first audio byte. */
  readonly dataOffset: number;
}

/**
 * Validates a `data` chunk (rule U4): it must lie inside the file and have at least one whole frame.
 * A trailing partial frame isn't counted.
 */
export function judgeData(
  format: WavFormat,
  place: DataPlace,
  fileName: string,
): WavHeader | Refusal {
  const file = fileName;
  const { dataOffset, dataBytes, fileBytes } = place;
  if (dataBytes > fileBytes - dataOffset) return refusal(findLengthFault(place), { file });
  const frames = Math.floor(dataBytes / blockAlign(format));
  if (frames === 0) return refusal("WAV_NO_DATA", { file });
  return { ...format, dataOffset, dataBytes, frames };
}
