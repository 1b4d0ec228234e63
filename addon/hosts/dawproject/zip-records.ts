/** A file in a ZIP. */
export interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  readonly sizeBytes: number;
  /** Of its local header. */
  readonly offset: number;
}

export const LOCAL_HEADER_BYTES = 30;
export const DIRECTORY_HEADER_BYTES = 46;
export const END_RECORD_BYTES = 22;
const LOCAL_SIGNATURE = 0x04034b50;
export const DIRECTORY_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

/** Version 2.0, which every reader supports. */
const VERSION = 20;
/** Only the UTF-8 flag, so no data descriptor. */
const FLAGS = 0x0800;
const STORED = 0;
/** The earliest date of the format, for deterministic output. */
const DOS_TIME = 0;
const DOS_DATE = 0x21;

/** Builds the header before a file's bytes. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  writeSharedFields(header, 4, entry, name.length);
  return Buffer.concat([header, name]);
}

/** Builds a file's entry in the directory. */
export function directoryHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(DIRECTORY_HEADER_BYTES);
  header.writeUInt32LE(DIRECTORY_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  writeSharedFields(header, 6, entry, name.length);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, name]);
}

/** Builds the record at the end, which locates the directory. */
export function endRecord(count: number, directory: { offset: number; bytes: number }): Buffer {
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
