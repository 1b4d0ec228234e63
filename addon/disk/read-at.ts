import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { type ReadAt, readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import { formatUnreadable } from "../../core/text/format-unreadable.ts";
import type { ReadableFile } from "./disk-calls.ts";
import { DiskError } from "./disk-error.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";

/**
 * Returns a function that reads an open file at any offset.
 * @param path named by its last part in the `DiskError` when the file can't be read
 */
export function readerOf(file: Pick<ReadableFile, "read">, path: string): ReadAt {
  return async (offset, length) => {
    const memory = Buffer.allocUnsafe(length);
    try {
      const { bytesRead } = await file.read(memory, 0, length, offset);
      return memory.subarray(0, bytesRead);
    } catch (cause) {
      throw new DiskError(formatUnreadable(cause, basename(path)), { cause });
    }
  };
}

/** Reads an open file from its start, usually with one call. Returns fewer bytes if it has become shorter. */
export async function readWhole(
  file: Pick<ReadableFile, "read">,
  sizeBytes: number,
): Promise<Buffer> {
  const memory = Buffer.allocUnsafe(sizeBytes);
  for (let filled = 0; filled < sizeBytes;) {
    // A read may return less than it was asked for.
    const { bytesRead } = await file.read(memory, filled, sizeBytes - filled, filled);
    if (bytesRead === 0) return memory.subarray(0, filled);
    filled += bytesRead;
  }
  return memory;
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
