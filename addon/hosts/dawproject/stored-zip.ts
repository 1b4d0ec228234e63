import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** The limits of a ZIP without ZIP64, which many DAWs can't read. */
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

export interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  readonly sizeBytes: number;
  /** The offset of its local header, in bytes. */
  readonly offset: number;
}

const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER_BYTES = 46;
const END_RECORD_BYTES = 22;
const LOCAL_SIGNATURE = 0x04034b50;
const DIRECTORY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;

/** The version of the format: 2.0, which every reader supports. */
const VERSION = 20;
/** The flags: only that for UTF-8, so no data descriptor. */
const FLAGS = 0x0800;
const STORED = 0;
/** The earliest time of the format, for deterministic output. */
const DOS_TIME = 0;
const DOS_DATE = 0x21;

/** The target of a ZIP: an open file, or memory. */
export interface WritableZip {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(bytes: number): Promise<void>;
}

/** The content exceeds a ZIP's limits; the message is a sentence. */
export class ZipTooLargeError extends Error {
  override readonly name = "ZipTooLargeError";
}

/**
 * A ZIP of uncompressed files while it is written, with sizes and CRC-32 in each local header, which is written
 * after its file's bytes (rule D8). Available libraries write data descriptors when they stream, which
 * makes some DAWs lose files, or hold every file in memory. The output is deterministic.
 */
export class StoredZip {
  readonly #file: WritableZip;
  readonly #entries: ZipEntry[] = [];
  #endBytes = 0;

  /** @param file open for writing; exclusive */
  constructor(file: WritableZip) {
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

/**
 * Checks the size of a ZIP, headers included.
 * @throws {ZipTooLargeError} when it exceeds the limit
 */
export function assertFits(bytes: number): void {
  if (bytes > MAX_BYTES) throw new ZipTooLargeError("A DAWproject can't be larger than 4 GiB.");
}

async function writeAll(file: WritableZip, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const rest = bytes.length - done;
    done += (await file.write(bytes, done, rest, position + done)).bytesWritten;
  }
}

function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  writeSharedFields(header, 4, entry, name.length);
  return Buffer.concat([header, name]);
}

function directoryHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(DIRECTORY_HEADER_BYTES);
  header.writeUInt32LE(DIRECTORY_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  writeSharedFields(header, 6, entry, name.length);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, name]);
}

function endRecord(count: number, directory: { offset: number; bytes: number }): Buffer {
  const record = Buffer.alloc(END_RECORD_BYTES);
  record.writeUInt32LE(END_SIGNATURE, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(directory.bytes, 12);
  record.writeUInt32LE(directory.offset, 16);
  return record;
}

/** Writes the 26 bytes that both headers share. */
function writeSharedFields(header: Buffer, at: number, entry: ZipEntry, nameBytes: number): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(STORED, at + 4);
  header.writeUInt16LE(DOS_TIME, at + 6);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(entry.sizeBytes, at + 14);
  header.writeUInt32LE(entry.sizeBytes, at + 18);
  header.writeUInt16LE(nameBytes, at + 22);
}

/**
 * Reads the directory of a ZIP that `StoredZip` wrote.
 * @returns its files by name
 * @throws {Error} for any other file
 */
export async function readZipEntries(file: FileHandle): Promise<ReadonlyMap<string, ZipEntry>> {
  const { size } = await file.stat();
  const end = await readExactly(file, size - END_RECORD_BYTES, END_RECORD_BYTES);
  if (end.readUInt32LE(0) !== END_SIGNATURE) throw new Error("It isn't a ZIP made by Soundferry.");
  const directory = await readExactly(file, end.readUInt32LE(16), end.readUInt32LE(12));
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  while (at < directory.length) {
    if (directory.readUInt32LE(at) !== DIRECTORY_SIGNATURE) {
      throw new Error("Its directory is damaged.");
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

/** Reads a small file of a ZIP that `StoredZip` wrote, as text. */
export async function readZipText(file: FileHandle, entry: ZipEntry): Promise<string> {
  const start = entry.offset + LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name, "utf8");
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
