import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { type ReadAt, readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";

/** Returns a function that reads an open file at any offset. */
export function readerOf(file: FileHandle): ReadAt {
  return async (offset, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}

/**
 * Reads the header of an open WAV.
 * @throws {Refusal} when it isn't a usable WAV (rule U4)
 * @throws {unknown} the disk's error
 */
export async function readWavHeader(file: FileHandle, path: string): Promise<WavHeader> {
  const { size } = await file.stat();
  return readWavHeaderAt(readerOf(file), size, basename(path));
}
