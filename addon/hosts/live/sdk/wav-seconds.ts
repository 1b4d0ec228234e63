import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import type { ReadAt } from "../../../../core/wav/read-wav-header-at.ts";
import { readWavHeaderAt } from "../../../../core/wav/read-wav-header-at.ts";

/** Returns how long a WAV plays, in seconds; undefined where it can't be read. */
export async function readWavSeconds(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const { frames, sampleRateHz } = await readWavHeaderAt(readerOf(file), size, basename(path));
    return frames / sampleRateHz;
  } catch {
    return undefined;
  }
}

/** Reads an open file at any offset. */
export function readerOf(file: FileHandle): ReadAt {
  return async (offset, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}
