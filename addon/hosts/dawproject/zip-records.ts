/** What a ZIP says of one file in it. */
export interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  readonly sizeBytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

export const LOCAL_HEADER_BYTES = 30;
export const DIRECTORY_HEADER_BYTES = 46;
export const END_RECORD_BYTES = 22;
const LOCAL_SIGNATURE = 0x04034b50;
export const DIRECTORY_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

/** Version 2.0 of the format, which everybody reads. */
const VERSION = 20;
/** The name is UTF-8; no other flag, and so no data descriptor. */
const FLAGS = 0x0800;
const STORED = 0;
/** The first day that a ZIP knows, so that the same input gives the same bytes. */
const DOS_TIME = 0;
const DOS_DATE = 0x21;

/** The header before a file's bytes, with its size and CRC-32. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  writeSharedFields(header, 4, entry, name.length);
  return Buffer.concat([header, name]);
}

/** A file's line in the directory at the end. */
export function directoryHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, "utf8");
  const header = Buffer.alloc(DIRECTORY_HEADER_BYTES);
  header.writeUInt32LE(DIRECTORY_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  writeSharedFields(header, 6, entry, name.length);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, name]);
}

/** What ends a ZIP: where its directory is. */
export function endRecord(count: number, directory: { offset: number; bytes: number }): Buffer {
  const record = Buffer.alloc(END_RECORD_BYTES);
  record.writeUInt32LE(END_SIGNATURE, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(directory.bytes, 12);
  record.writeUInt32LE(directory.offset, 16);
  return record;
}

/** The 26 bytes that both headers have alike. */
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
