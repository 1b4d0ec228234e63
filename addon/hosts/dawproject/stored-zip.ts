import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { readDirectory, readEndRecord } from "../../../core/zip/read-directory.ts";
import {
  assertFits,
  END_RECORD_BYTES,
  formatDirectory,
  formatLocalHeader,
  headerLength,
  MAX_ENTRIES,
  type ZipEntry,
  ZipTooLargeError,
} from "../../../core/zip/zip-format.ts";

/** The container in the sentences on its limits. */
export const DAWPROJECT = "A DAWproject";

/**
 * A ZIP of uncompressed files while it is written, with sizes and CRC-32 in each local header, which is written
 * after its file's bytes (rule D8). Available libraries write data descriptors when they stream, which
 * makes some DAWs lose files, or hold every file in memory. The output is deterministic.
 */
export class StoredZip {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  #endBytes = 0;

  /** @param file open for writing; exclusive */
  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Adds a file. A failure leaves the ZIP unchanged, and other files can be added.
   * @param name unique, with `/` between folders
   * @throws {ZipTooLargeError}
   * @throws {unknown} from `pieces`
   */
  async add(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    if (this.#entries.length === MAX_ENTRIES) {
      throw new ZipTooLargeError(`${DAWPROJECT} can't hold more than ${MAX_ENTRIES - 2} sounds.`);
    }
    const offset = this.#endBytes;
    const startBytes = offset + headerLength(name);
    let endBytes = startBytes;
    let checksum = 0;
    for await (const piece of pieces) {
      assertFits(endBytes + piece.length, DAWPROJECT);
      await writeAll(this.#file, piece, endBytes);
      checksum = crc32(piece, checksum);
      endBytes += piece.length;
    }
    const entry = { name, offset, crc32: checksum, sizeBytes: endBytes - startBytes };
    await writeAll(this.#file, formatLocalHeader(entry), offset);
    this.#entries.push(entry);
    this.#endBytes = endBytes;
  }

  /**
   * Writes the directory and truncates the file after it.
   * @throws {ZipTooLargeError}
   */
  async finish(): Promise<void> {
    const offset = this.#endBytes;
    const end = formatDirectory(this.#entries, offset);
    assertFits(offset + end.length, DAWPROJECT);
    await writeAll(this.#file, end, offset);
    await this.#file.truncate(offset + end.length);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const rest = bytes.length - done;
    done += (await file.write(bytes, done, rest, position + done)).bytesWritten;
  }
}

/**
 * Reads the directory of a ZIP that `StoredZip` wrote.
 * @returns its files by name
 * @throws {Error} for any other file
 */
export async function readZipEntries(file: FileHandle): Promise<ReadonlyMap<string, ZipEntry>> {
  const { size } = await file.stat();
  const end = readEndRecord(await readExactly(file, size - END_RECORD_BYTES, END_RECORD_BYTES));
  return readDirectory(await readExactly(file, end.offset, end.length));
}

/** Reads a small file of a ZIP that `StoredZip` wrote, as text. */
export async function readZipText(file: FileHandle, entry: ZipEntry): Promise<string> {
  const start = entry.offset + headerLength(entry.name);
  return (await readExactly(file, start, entry.sizeBytes)).toString("utf8");
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) throw new Error("It is too short for a ZIP.");
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new Error("It is incomplete.");
    done += bytesRead;
  }
  return bytes;
}
