import type { FileHandle } from "node:fs/promises";
import {
  DIRECTORY_HEADER_BYTES,
  DIRECTORY_SIGNATURE,
  END_RECORD_BYTES,
  END_SIGNATURE,
  LOCAL_HEADER_BYTES,
  type ZipEntry,
} from "./zip-records.ts";

/** A file isn't a ZIP that `StoredZip` wrote. */
export class ZipReadError extends Error {
  override readonly name = "ZipReadError";
}

/**
 * Reads the directory of a ZIP that `StoredZip` wrote, by name.
 * @throws {ZipReadError} for any other file
 */
export async function readZipEntries(file: FileHandle): Promise<ReadonlyMap<string, ZipEntry>> {
  const { size } = await file.stat();
  const end = await readExactly(file, size - END_RECORD_BYTES, END_RECORD_BYTES);
  if (end.readUInt32LE(0) !== END_SIGNATURE)
    throw new ZipReadError("It isn't a ZIP made by Soundferry.");
  const directory = await readExactly(file, end.readUInt32LE(16), end.readUInt32LE(12));
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  while (at < directory.length) {
    if (directory.readUInt32LE(at) !== DIRECTORY_SIGNATURE) {
      throw new ZipReadError("Its directory is damaged.");
    }
    const nameStart = at + DIRECTORY_HEADER_BYTES;
    const nameEnd = nameStart + directory.readUInt16LE(at + 28);
    const name = directory.toString("utf8", nameStart, nameEnd);
    entries.set(name, {
      name,
      crc32: directory.readUInt32LE(at + 16),
      sizeBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd;
  }
  return entries;
}

/** Reads a small file of such a ZIP as text. */
export async function readZipText(file: FileHandle, entry: ZipEntry): Promise<string> {
  const start = entry.offset + LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name, "utf8");
  return (await readExactly(file, start, entry.sizeBytes)).toString("utf8");
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) throw new ZipReadError("It is too short for a ZIP.");
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new ZipReadError("It is incomplete.");
    done += bytesRead;
  }
  return bytes;
}
