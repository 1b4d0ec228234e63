import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { type ReadAt, readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import { formatUnreadable } from "../../core/text/format-unreadable.ts";
import { DiskError } from "./disk-error.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";

/**
 * Returns a function that reads an open file at any offset.
 * @param path named by its last part in the `DiskError` when the file can't be read
 */
export function readerOf(file: FileHandle, path: string): ReadAt {
  return async (offset, length) => {
    const reading = file.read(new Uint8Array(length), 0, length, offset);
    const { buffer, bytesRead } = await reading.catch((cause: unknown) => {
      throw new DiskError(formatUnreadable(cause, basename(path)), { cause });
    });
    return buffer.subarray(0, bytesRead);
  };
}

/**
 * Reads the header of an open WAV.
 * @throws {Refusal} when it isn't a usable WAV (rule U4)
 * @throws {DiskError} when it can't be read
 */
export async function readWavHeader(file: FileHandle, path: string): Promise<WavHeader> {
  const { size } = await file.stat();
  return readWavHeaderAt(readerOf(file, path), size, basename(path));
}
