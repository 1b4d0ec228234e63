import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import {
  directoryHeader,
  endRecord,
  LOCAL_HEADER_BYTES,
  localHeader,
  type ZipEntry,
} from "./zip-records.ts";

/** What a ZIP without the 64-bit extension can count to; many DAWs don't read that extension. */
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

/** More than a ZIP can hold; the message is a sentence. */
export class ZipTooLargeError extends Error {
  override readonly name = "ZipTooLargeError";
}

/**
 * Writes a ZIP whose files are stored as they are, with sizes and CRC-32 in the header before each: a
 * header is written when its file's bytes are (rule D8). The libraries that could be had put such
 * numbers behind the bytes when they stream, which makes some DAWs lose files, or hold every file in
 * memory. The same files in the same order give the same bytes.
 */
export class StoredZip {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  #endBytes = 0;

  /** @param file open for writing, and used by nobody else */
  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Adds a file. Where that fails, the ZIP is as before, and others can be added.
   * @param name with `/` between folders; unique
   * @throws {ZipTooLargeError}
   * @throws {unknown} what `pieces` throws
   */
  async add(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    if (this.#entries.length === MAX_ENTRIES) {
      throw new ZipTooLargeError(`A DAWproject can't hold more than ${MAX_ENTRIES - 2} sounds.`);
    }
    const offset = this.#endBytes;
    const startBytes = offset + LOCAL_HEADER_BYTES + Buffer.byteLength(name, "utf8");
    let endBytes = startBytes;
    let checksum = 0;
    for await (const piece of pieces) {
      assertFits(endBytes + piece.length);
      await writeAll(this.#file, piece, endBytes);
      checksum = crc32(piece, checksum);
      endBytes += piece.length;
    }
    const entry = { name, offset, crc32: checksum, sizeBytes: endBytes - startBytes };
    await writeAll(this.#file, localHeader(entry), offset);
    this.#entries.push(entry);
    this.#endBytes = endBytes;
  }

  /**
   * Writes the directory and cuts the file off behind it.
   * @throws {ZipTooLargeError}
   */
  async finish(): Promise<void> {
    const directory = Buffer.concat(this.#entries.map((entry) => directoryHeader(entry)));
    const offset = this.#endBytes;
    const end = endRecord(this.#entries.length, { offset, bytes: directory.length });
    const sizeBytes = offset + directory.length + end.length;
    assertFits(sizeBytes);
    await writeAll(this.#file, Buffer.concat([directory, end]), offset);
    await this.#file.truncate(sizeBytes);
  }
}

/** @throws {ZipTooLargeError} for more than fits into a ZIP; what is between the files counts, too */
export function assertFits(bytes: number): void {
  if (bytes > MAX_BYTES) throw new ZipTooLargeError("A DAWproject can't be larger than 4 GiB.");
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const rest = bytes.length - done;
    done += (await file.write(bytes, done, rest, position + done)).bytesWritten;
  }
}
