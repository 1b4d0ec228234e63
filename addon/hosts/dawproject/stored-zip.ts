import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import {
  directoryHeader,
  endRecord,
  LOCAL_HEADER_BYTES,
  localHeader,
  type ZipEntry,
} from "./zip-records.ts";

/** The limits of a ZIP without ZIP64, which many DAWs can't read. */
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

/** The content exceeds a ZIP's limits; the message is a sentence. */
export class ZipTooLargeError extends Error {
  override readonly name = "ZipTooLargeError";
}

/**
 * Writes a ZIP with uncompressed files and with sizes and CRC-32 in each local header, which is written
 * after its file's bytes (rule D8). Available libraries write data descriptors when they stream, which
 * makes some DAWs lose files, or hold every file in memory. Deterministic.
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
   * Writes the directory and truncates the file after it.
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

/** @throws {ZipTooLargeError} when a ZIP of that size, headers included, exceeds the limit */
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
