/** The audio format and data position from a WAV's header. */
export interface WavHeader {
  readonly encoding: "pcm" | "float";
  readonly channels: 1 | 2;
  readonly sampleRateHz: number;
  /** Container size of one sample. */
  readonly bitsPerSample: 8 | 16 | 24 | 32;
  /** Offset of the first audio byte in the file. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Whole frames: floor(data bytes / block align); at least 1. */
  readonly frames: number;
}

/** Bytes before the first chunk of a RIFF file. */
export const RIFF_HEADER_BYTES = 12;
/** Bytes of a chunk before its body. */
export const CHUNK_HEADER_BYTES = 8;
/** Format tags of `fmt `. */
export const PCM = 0x0001;
export const FLOAT = 0x0003;

/** Returns a chunk's four-character code as a little-endian number. */
export function fourCc(name: string): number {
  return [0, 1, 2, 3].reduce((code, at) => code + name.charCodeAt(at) * 2 ** (8 * at), 0);
}

/** Checks whether a number is a four-character code: four printable ASCII characters. */
export function isFourCc(code: number): boolean {
  return [0, 8, 16, 24].every((shift) => {
    const character = (code >>> shift) & 0xff;
    return character >= 0x20 && character <= 0x7e;
  });
}

/** The contents of a supported `fmt ` chunk. */
export type WavFormat = Pick<WavHeader, "encoding" | "channels" | "sampleRateHz" | "bitsPerSample">;

/** Returns the bytes of one frame: a sample of every channel. */
export function blockAlign(format: WavFormat): number {
  return (format.channels * format.bitsPerSample) / 8;
}

/**
 * Builds the bytes of a WAV before its audio: `fmt ` and the head of `data`, and for floats the `fact` chunk that
 * the format requires. 44 bytes for PCM. The audio follows, with a zero byte if its size is odd.
 * @param moreBytes size of the chunks after the audio
 * @internal Its return type needs TypeScript 5.7.
 */
export function wavHeaderBytes(
  format: WavFormat,
  frames: number,
  moreBytes = 0,
): Uint8Array<ArrayBuffer> {
  const isFloat = format.encoding === "float";
  const formatBytes = isFloat ? 18 : 16;
  const factBytes = isFloat ? CHUNK_HEADER_BYTES + 4 : 0;
  const dataAt = RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES + formatBytes + factBytes;
  const bytes = new Uint8Array(dataAt + CHUNK_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const chunk = (at: number, name: string, length: number): void => {
    for (let index = 0; index < 4; index += 1) bytes[at + index] = name.charCodeAt(index);
    view.setUint32(at + 4, length, true);
  };
  const frameBytes = blockAlign(format);
  const dataBytes = frames * frameBytes;
  const paddedBytes = dataBytes + (dataBytes % 2);
  chunk(0, "RIFF", bytes.length - CHUNK_HEADER_BYTES + paddedBytes + moreBytes);
  chunk(8, "WAVE", 0);
  chunk(RIFF_HEADER_BYTES, "fmt ", formatBytes);
  view.setUint16(20, isFloat ? FLOAT : PCM, true);
  view.setUint16(22, format.channels, true);
  view.setUint32(24, format.sampleRateHz, true);
  view.setUint32(28, format.sampleRateHz * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, format.bitsPerSample, true);
  if (isFloat) {
    chunk(dataAt - factBytes, "fact", 4);
    view.setUint32(dataAt - 4, frames, true);
  }
  chunk(dataAt, "data", dataBytes);
  return bytes;
}
