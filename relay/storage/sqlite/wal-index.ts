import type { WatchedFile } from "./watched-file.ts";

/** SQLite's shared index of the write-ahead log, in the `-shm` file (https://sqlite.org/walformat.html). */
export interface WalIndex {
  /** Frames of committed transactions. 0 after the log was restarted. */
  readonly frameCount: number;
  /** The checksum of the last committed frame, as the frame's header has it. */
  readonly checksum: Buffer;
  /** What the log's header and each of its frames begin with since the last restart. */
  readonly salts: Buffer;
  /** How many frames are merged into the database, and how many the last merge began to. */
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
 * @returns undefined if it is just being written, or is no index
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

/** Whether a log has the header and the last frame that its index names. */
export function isLogOf(index: WalIndex, log: WatchedFile, pageBytes: number): boolean {
  return log.read(16, 8).equals(index.salts) && hasLastFrame(index, log, pageBytes);
}

/** Whether a log has the frame that was the last one when its index was read. */
export function hasLastFrame(index: WalIndex, log: WatchedFile, pageBytes: number): boolean {
  const at = LOG_HEADER_BYTES + (index.frameCount - 1) * (FRAME_HEADER_BYTES + pageBytes);
  return log.read(at + 8, 16).equals(Buffer.concat([index.salts, index.checksum]));
}
