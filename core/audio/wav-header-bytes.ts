import { blockAlign, type WavFormat } from "./wav-header.ts";

/**
 * Builds the bytes of a WAV before its audio: `fmt ` and the head of `data`, and for floats the `fact` chunk that
 * the format requires. 44 bytes for PCM. The audio follows, with a zero byte if its size is odd.
 */
export function wavHeaderBytes(format: WavFormat, frames: number): Uint8Array<ArrayBuffer> {
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
  chunk(0, "RIFF", bytes.length - CHUNK_HEADER_BYTES + dataBytes + (dataBytes % 2));
  chunk(8, "WAVE", 0);
  chunk(RIFF_HEADER_BYTES, "fmt ", formatBytes);
  view.setUint16(20, isFloat ? FLOAT_TAG : PCM_TAG, true);
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
