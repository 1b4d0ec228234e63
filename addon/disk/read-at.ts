import type { FileHandle } from "node:fs/promises";
import type { ReadAt } from "../../core/audio/read-wav-header-at.ts";

/** Reads an open file at any offset. */
export function readerOf(file: FileHandle): ReadAt {
  return async (offset, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}
