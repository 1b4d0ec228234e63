import type { FileHandle } from "node:fs/promises";

const PIECE_BYTES = 512 * 1024;

/**
 * The bytes of a file from `start` up to and including `end`, in pieces of 512 KiB; the next one is read
 * while the last one is used. Closes the file at the end, and when its reader stops early.
 */
export async function* readPieces(
  file: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
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
  let coming = readNext();
  try {
    for (let piece = await coming; piece.byteLength > 0; piece = await coming) {
      coming = readNext();
      yield piece;
    }
  } finally {
    await coming.catch(() => undefined);
    await file.close();
  }
}
