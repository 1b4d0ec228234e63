import type { ByteRange } from "../../domain/ports.ts";
import type { SoundFile } from "./sound-files.ts";

const PIECE_BYTES = 512 * 1024;

/**
 * The bytes of a file from `start` to `end`, inclusive, in pieces of 512 KiB. Reads one piece ahead. Closes
 * the file at the end and when the reader stops early, even before the first piece.
 */
export async function readPieces(
  file: SoundFile,
  range: ByteRange,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces = generatePieces(file, range);
  // A generator that never ran skips its `finally`, so start it.
  await pieces.next();
  return pieces;
}

/** The same; undefined, and the file closed, if the file ends before the range does. */
export async function readWhole(
  file: SoundFile,
  range: ByteRange,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  let isWhole = false;
  try {
    isWhole = (await file.stat()).size > range.end;
  } finally {
    if (!isWhole) await file.close();
  }
  return isWhole ? readPieces(file, range) : undefined;
}

async function* generatePieces(
  file: SoundFile,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let position = start;
  const readNext = async (): Promise<Uint8Array> => {
    const length = Math.min(PIECE_BYTES, end + 1 - position);
    if (length <= 0) return new Uint8Array();
    const buffer = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  let nextPiece = Promise.resolve<Uint8Array>(new Uint8Array());
  try {
    yield nextPiece;
    nextPiece = readNext();
    for (let piece = await nextPiece; piece.byteLength > 0; piece = await nextPiece) {
      nextPiece = readNext();
      // It may fail while nobody awaits it; the next reader gets the error.
      nextPiece.catch(() => undefined);
      yield piece;
    }
  } finally {
    await nextPiece.catch(() => undefined);
    await file.close();
  }
}
