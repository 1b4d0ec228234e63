import type { AiffHeader } from "./aiff-header.ts";

/**
 * An AIFF's samples as a WAV has them: little-endian, 8 bits unsigned, doubles as floats.
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
