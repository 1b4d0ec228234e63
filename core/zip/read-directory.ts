import { decodeUtf8 } from "../text/utf8.ts";
import {
  DIRECTORY_HEADER_BYTES,
  DIRECTORY_SIGNATURE,
  END_RECORD_BYTES,
  END_SIGNATURE,
  type ZipEntry,
} from "./zip-format.ts";

/** The place of a ZIP's directory, in bytes. */
export interface DirectoryPlace {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads the end record of a ZIP that Soundferry wrote.
 * @param bytes the file's last `END_RECORD_BYTES`
 * @throws {Error} for any other file
 */
export function readEndRecord(bytes: Uint8Array): DirectoryPlace {
  const view = viewOf(bytes);
  if (bytes.length !== END_RECORD_BYTES || view.getUint32(0, true) !== END_SIGNATURE) {
    throw new Error("It isn't a ZIP made by Soundferry.");
  }
  return { offset: view.getUint32(16, true), length: view.getUint32(12, true) };
}

/**
 * Reads the directory of a ZIP that Soundferry wrote.
 * @returns its files by name
 * @throws {Error} when it is damaged
 */
export function readDirectory(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = viewOf(bytes);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  while (at < bytes.length) {
    const nameStart = at + DIRECTORY_HEADER_BYTES;
    if (nameStart > bytes.length || view.getUint32(at, true) !== DIRECTORY_SIGNATURE) {
      throw new Error("Its directory is damaged.");
    }
    const nameEnd = nameStart + view.getUint16(at + 28, true);
    const name = decodeUtf8(bytes.subarray(nameStart, nameEnd));
    entries.set(name, {
      name,
      crc32: view.getUint32(at + 16, true),
      sizeBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at = nameEnd;
  }
  return entries;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
