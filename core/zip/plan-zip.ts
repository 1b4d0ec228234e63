import { crc32 } from "./crc32.ts";
import {
  assertFits,
  formatDirectory,
  formatLocalHeader,
  joinBytes,
  MAX_ENTRIES,
  type ZipEntry,
  type ZipFile,
  ZipTooLargeError,
} from "./zip-format.ts";

const NOTHING = new Uint8Array();

/** All bytes of a ZIP but those of its files (rule D8). */
export interface ZipPlan {
  /** The header before each file's bytes, in order. */
  readonly headers: readonly Uint8Array<ArrayBuffer>[];
  /** The bytes after the last file. */
  readonly end: Uint8Array<ArrayBuffer>;
  /** The size of the whole ZIP. */
  readonly sizeBytes: number;
}

/**
 * Plans a ZIP of uncompressed files, so that files on a disk needn't be copied into memory. The same files give the
 * same bytes.
 * @throws {ZipTooLargeError}
 */
export function planZip(files: readonly ZipFile[]): ZipPlan {
  if (files.length > MAX_ENTRIES) {
    throw new ZipTooLargeError(`A ZIP can't hold more than ${MAX_ENTRIES} files.`);
  }
  const headers = files.map(formatLocalHeader);
  let offset = 0;
  const entries = files.map((file, index): ZipEntry => {
    const entry = { ...file, offset };
    offset += (headers[index]?.length ?? 0) + file.sizeBytes;
    return entry;
  });
  assertFits(offset, "A ZIP");
  const end = formatDirectory(entries, offset);
  const sizeBytes = offset + end.length;
  assertFits(sizeBytes, "A ZIP");
  return { headers, end, sizeBytes };
}

/**
 * Formats a small ZIP of uncompressed files in memory.
 * @param files their bytes by name
 * @throws {ZipTooLargeError}
 */
export function formatZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const { headers, end } = planZip(
    [...files].map(([name, bytes]) => ({ name, crc32: crc32(bytes), sizeBytes: bytes.length })),
  );
  const pieces = [...files.values()].flatMap((body, index) => [headers[index] ?? NOTHING, body]);
  return joinBytes([...pieces, end]);
}
