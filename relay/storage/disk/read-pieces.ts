import type { FileHandle } from "node:fs/promises";

const PIECE_BYTES = 512 * 1024;

/** First and last byte. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes of a file from `start` up to and including `end`, in pieces of 512 KiB; the next one is read
 * while the last one is used. Closes the file at the end, and when its reader stops early, even before
 * the first piece.
 */
export async function readPieces(
  file: FileHandle,
  range: Range,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces = generatePieces(file, range);
  // A generator that never ran skips its `finally`, so it is led inside.
  await pieces.next();
  return pieces;
}

async function* generatePieces(
  file: FileHandle,
  { start, end }: Range,
): AsyncGenerator<Uint8Array> {
  let position = start;
  const readNext = async (): Promise<Uint8Array> => {
    const length = Math.min(PIECE_BYTES, end + 1 - position);
    if (length <= 0) return new Uint8Array();
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafeSlow(length),
      0,
      length,
      position,
    );
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  let coming = Promise.resolve<Uint8Array>(new Uint8Array());
  try {
    yield coming;
    coming = readNext();
    for (let piece = await coming; piece.byteLength > 0; piece = await coming) {
      coming = readNext();
      // It may fail while nobody waits for it; whoever asks for the next piece is told.
      coming.catch(() => undefined);
      yield piece;
    }
  } finally {
    await coming.catch(() => undefined);
    await file.close();
  }
}
