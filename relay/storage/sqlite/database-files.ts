import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../error-codes.ts";

/**
 * A file that SQLite has open, too, for comparisons with the file at its path. Dispose it after SQLite has closed the
 * file: closing it drops all locks that this process has on it.
 */
export class WatchedFile implements Disposable {
  readonly path: string;
  readonly #handle: number;
  readonly #device: bigint;
  readonly #inode: bigint;

  constructor(path: string) {
    this.path = path;
    this.#handle = openSync(path, "r");
    const { dev, ino } = fstatSync(this.#handle, { bigint: true });
    this.#device = dev;
    this.#inode = ino;
  }

  /** Looks at the path. Returns its stats, or the reason why it is no longer this file. */
  look(): BigIntStats | "removed" | "replaced" {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return "removed";
    return stats.dev === this.#device && stats.ino === this.#inode ? stats : "replaced";
  }

  /** Reads from this file, wherever its path leads now. Returns fewer bytes at the file's end. */
  read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.#handle, bytes, 0, length, position));
  }

  [Symbol.dispose](): void {
    closeSync(this.#handle);
  }
}

/** Offset of the application id in a database's header: https://sqlite.org/fileformat.html. */
export const NUMBER_AT = 68;

/** SQLite's shared index of the write-ahead log, in the `-shm` file (https://sqlite.org/walformat.html). */
export interface WalIndex {
  /** Number of frames of committed transactions; 0 after the log was restarted. */
  readonly frameCount: number;
  /** The checksum of the last committed frame, as in that frame's header. */
  readonly checksum: Buffer;
  /** The salts in the headers of the log and of each frame since the last restart. */
  readonly salts: Buffer;
  /** Number of frames that are merged into the database. `attempted` is the number that the last merge aimed at. */
  readonly merged: number;
  readonly attempted: number;
  readonly bytes: Buffer;
}

const INDEX_BYTES = 136;
const HEADER_BYTES = 48;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Reads the index, which other processes may change meanwhile.
 * @returns undefined if it is being written, or isn't an index
 */
export function readWalIndex(file: WatchedFile): WalIndex | undefined {
  const bytes = file.read(0, INDEX_BYTES);
  if (bytes.length < INDEX_BYTES) return undefined;
  const [header, copy] = [0, HEADER_BYTES].map((at) => bytes.subarray(at, at + HEADER_BYTES));
  const isInUse = bytes[12] === 1;
  if (!isInUse || header === undefined || copy === undefined || !header.equals(copy))
    return undefined;
  // Its numbers are in the machine's byte order; the log's are big-endian.
  const numbers = new Uint32Array(new Uint8Array(bytes).buffer);
  const numberAt = (offset: number) => numbers[offset / 4] ?? 0;
  const checksum = Buffer.alloc(8);
  checksum.writeUInt32BE(numberAt(24), 0);
  checksum.writeUInt32BE(numberAt(28), 4);
  return {
    frameCount: numberAt(16),
    checksum,
    salts: bytes.subarray(32, 40),
    merged: numberAt(96),
    attempted: numberAt(128),
    bytes,
  };
}

/** Checks whether a log has the header and the last frame that its index names. */
export function isLogOf(index: WalIndex, log: WatchedFile, pageBytes: number): boolean {
  return log.read(16, 8).equals(index.salts) && hasLastFrame(index, log, pageBytes);
}

/** Checks whether a log has the frame that was the last one when its index was read. */
export function hasLastFrame(index: WalIndex, log: WatchedFile, pageBytes: number): boolean {
  const at = LOG_HEADER_BYTES + (index.frameCount - 1) * (FRAME_HEADER_BYTES + pageBytes);
  return log.read(at + 8, 16).equals(Buffer.concat([index.salts, index.checksum]));
}

/** Limit of looks while another process merges the log. */
const MAX_TRIES = 100;

/**
 * Makes sure that a write-ahead log, for example one that a crash left, belongs to the database's file, before SQLite
 * merges the two (rule Z8). Beside another copy of the file, merging would destroy both. Changes neither.
 * `DatabaseGuard` writes a number into each new log, one more than the file's; a merge brings it into the file.
 * @throws {Error} a sentence that says what to do
 */
export function requireOwnLog(path: string, busyTimeoutMs: number): void {
  const log = `${path}-wal`;
  if (sizeOf(log) === 0) return;
  if (sizeOf(path) === 0) {
    throw new Error(
      `${log} has the newest changes of a database that is missing. ` +
        `Put back its ${path}, or move the log elsewhere: its changes are then lost. Nothing was changed.`,
    );
  }
  using reading = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  if (hasItsNumber(reading, path) && isSound(reading)) return;
  throw new Error(
    `${log} doesn't belong to ${path}, or one of them is damaged. If an older copy of the database was put there, ` +
      `put back the newer one. To use that copy, move ${log} and ${path}-shm elsewhere: ` +
      "their changes are then lost. Or restore a backup with `soundferry relay restore`. Nothing was changed.",
  );
}

/** Checks whether the log was begun on this file. One that no relay has written to yet has no number. */
function hasItsNumber(reading: DatabaseSync, path: string): boolean {
  for (let tries = 1; ; tries += 1) {
    const before = numberOfFile(path);
    const seen = Number(reading.prepare("PRAGMA application_id").get()?.["application_id"]);
    if (seen === before || seen === before + 1) return true;
    if (numberOfFile(path) === before || tries === MAX_TRIES) return false;
  }
}

/** Checks whether file and log together are a database. */
function isSound(reading: DatabaseSync): boolean {
  try {
    return reading.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] === "ok";
  } catch (error) {
    if (!isSqliteError(error, "damaged")) throw error;
    return false;
  }
}

/** Reads the application id in the file's header, without its log. */
function numberOfFile(path: string): number {
  using file = new WatchedFile(path);
  const number = file.read(NUMBER_AT, 4);
  return number.length < 4 ? 0 : number.readInt32BE();
}

/** The size of a file in bytes; 0 if there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
