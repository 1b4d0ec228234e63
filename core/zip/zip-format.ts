import { encodeUtf8, utf8Length } from "../text/utf8.ts";

/** The limits of a ZIP without ZIP64, which many DAWs can't read. */
const MAX_BYTES = 0xffff_ffff;
export const MAX_ENTRIES = 0xffff;

/** A file that is about to be in a ZIP. */
export interface ZipFile {
  /** Unique, with `/` between folders. */
  readonly name: string;
  readonly crc32: number;
  readonly sizeBytes: number;
}

/** A file in a ZIP. */
export interface ZipEntry extends ZipFile {
  /** The offset of its local header, in bytes. */
  readonly offset: number;
}

const LOCAL_HEADER_BYTES = 30;
export const DIRECTORY_HEADER_BYTES = 46;
export const END_RECORD_BYTES = 22;
const LOCAL_SIGNATURE = 0x04034b50;
export const DIRECTORY_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

/** The version of the format: 2.0, which every reader supports. */
const VERSION = 20;
/** The flags: only that for UTF-8, so no data descriptor. */
const FLAGS = 0x0800;
const STORED = 0;
/** The earliest time of the format, for deterministic output. */
const DOS_TIME = 0;
const DOS_DATE = 0x21;

/** The content exceeds a ZIP's limits; the message is a sentence. */
export class ZipTooLargeError extends Error {
  override readonly name = "ZipTooLargeError";
}

/**
 * Checks the size of a ZIP, headers included.
 * @param container what the sentence names, such as `A DAWproject`
 * @throws {ZipTooLargeError} when it exceeds the limit
 */
export function assertFits(bytes: number, container: string): void {
  if (bytes > MAX_BYTES) throw new ZipTooLargeError(`${container} can't be larger than 4 GiB.`);
}

/** Returns the offset of a file's bytes from its local header. */
export function headerLength(name: string): number {
  return LOCAL_HEADER_BYTES + utf8Length(name);
}

/** Formats the header that stands before a file's bytes. */
export function formatLocalHeader(entry: ZipFile): Uint8Array<ArrayBuffer> {
  const { header, view } = headerOf(LOCAL_HEADER_BYTES, entry.name);
  view.setUint32(0, LOCAL_SIGNATURE, true);
  writeSharedFields(view, 4, entry);
  return header;
}

/**
 * Formats the end of a ZIP: the directory and the record that says where it is.
 * @param offset of the end, in bytes
 */
export function formatDirectory(
  entries: readonly ZipEntry[],
  offset: number,
): Uint8Array<ArrayBuffer> {
  const headers = entries.map(formatDirectoryHeader);
  const bytes = headers.reduce((sum, header) => sum + header.length, 0);
  return joinBytes([...headers, formatEndRecord(entries.length, { offset, bytes })]);
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function formatDirectoryHeader(entry: ZipEntry): Uint8Array {
  const { header, view } = headerOf(DIRECTORY_HEADER_BYTES, entry.name);
  view.setUint32(0, DIRECTORY_SIGNATURE, true);
  view.setUint16(4, VERSION, true);
  writeSharedFields(view, 6, entry);
  view.setUint32(42, entry.offset, true);
  return header;
}

function formatEndRecord(
  count: number,
  directory: { readonly offset: number; readonly bytes: number },
): Uint8Array {
  const { header, view } = headerOf(END_RECORD_BYTES, "");
  view.setUint32(0, END_SIGNATURE, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, directory.bytes, true);
  view.setUint32(16, directory.offset, true);
  return header;
}

function headerOf(bytes: number, name: string) {
  const header = new Uint8Array(bytes + utf8Length(name));
  header.set(encodeUtf8(name), bytes);
  return { header, view: new DataView(header.buffer) };
}

/** Writes the 26 bytes that both headers share. */
function writeSharedFields(view: DataView, at: number, { name, crc32, sizeBytes }: ZipFile): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, FLAGS, true);
  view.setUint16(at + 4, STORED, true);
  view.setUint16(at + 6, DOS_TIME, true);
  view.setUint16(at + 8, DOS_DATE, true);
  view.setUint32(at + 10, crc32, true);
  view.setUint32(at + 14, sizeBytes, true);
  view.setUint32(at + 18, sizeBytes, true);
  view.setUint16(at + 22, utf8Length(name), true);
}
