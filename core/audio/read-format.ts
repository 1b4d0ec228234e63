import { MAX_SAMPLE_RATE_HZ } from "../limits.ts";
import { type Refusal, refusal } from "../protocol/refusal.ts";
import { codecName } from "./codec-names.ts";
import type { WavHeader } from "./wav-header.ts";

/** The contents of a supported `fmt ` chunk. */
export type WavFormat = Pick<WavHeader, "encoding" | "channels" | "sampleRateHz" | "bitsPerSample">;

/** Bytes of the shortest `fmt ` chunk. */
export const MIN_FORMAT_BYTES = 16;
/** Relevant bytes of a `fmt ` chunk: a whole WAVE_FORMAT_EXTENSIBLE. */
export const MAX_FORMAT_BYTES = 40;

const PCM = 0x0001;
const FLOAT = 0x0003;
const EXTENSIBLE = 0xfffe;

/** The subformat GUID after its format tag, as four little-endian numbers. */
const GUID_TAIL = [0x0000, 0x0010_0000, 0xaa00_0080, 0x719b_3800] as const;

/**
 * Reads the body of a `fmt ` chunk (rule U4): 8, 16, 24 or 32-bit PCM or 32-bit float, mono or stereo,
 * up to `MAX_SAMPLE_RATE_HZ`, with a matching block align. Refuses for the first problem in the order
 * codec, channels, bits, sample rate, block align. Ignores the byte rate, valid bits and speaker mask.
 * @param bytes the first 16 to 40 bytes of the body; all 40 if the chunk has them
 */
export function readFormat(bytes: DataView, fileName: string): WavFormat | Refusal {
  const file = fileName;
  let tag: number | undefined = bytes.getUint16(0, true);
  if (tag === EXTENSIBLE) {
    if (bytes.byteLength < MAX_FORMAT_BYTES) return refusal("WAV_FORMAT_BROKEN", { file });
    tag = readSubformatTag(bytes);
  }
  if (tag !== PCM && tag !== FLOAT) {
    const codec = tag === undefined ? "unknown" : codecName(tag);
    return refusal("WAV_COMPRESSED", { file, codec });
  }

  const channels = bytes.getUint16(2, true);
  if (channels !== 1 && channels !== 2) {
    return refusal("WAV_CHANNELS_UNSUPPORTED", { file, channels });
  }
  const bits = bytes.getUint16(14, true);
  if (tag === FLOAT && bits !== 32) return refusal("WAV_FLOAT_UNSUPPORTED", { file, bits });
  if (!isSupported(bits)) return refusal("WAV_BITS_UNSUPPORTED", { file, bits });
  const rate = bytes.getUint32(4, true);
  if (rate < 1 || rate > MAX_SAMPLE_RATE_HZ) return refusal("WAV_RATE_UNSUPPORTED", { file, rate });

  const encoding = tag === PCM ? "pcm" : "float";
  const format: WavFormat = { encoding, channels, sampleRateHz: rate, bitsPerSample: bits };
  if (bytes.getUint16(12, true) !== blockAlign(format)) {
    return refusal("WAV_BLOCK_ALIGN_WRONG", { file });
  }
  return format;
}

/** Bytes of one frame: a sample of every channel. */
export function blockAlign(format: WavFormat): number {
  return (format.channels * format.bitsPerSample) / 8;
}

/** The format tag in an EXTENSIBLE format's GUID; undefined for an unknown GUID. */
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
