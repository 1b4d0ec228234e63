import { hexOf } from "./hex.ts";
import { readPiece } from "./sound-bytes.ts";

/** An incremental SHA-256. */
export interface Sha256 {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Watches the hashing of one sound. */
export interface HashWatch {
  /** Called with the number of bytes hashed so far. */
  readonly onProgress?: ((hashedBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Hashes on this thread, piece by piece, and lets others run in between.
 * @throws {ClientError} `SOUND_UNREADABLE`; the reason of `signal` when that aborts
 */
export async function hashInPieces(
  sound: Blob,
  hash: Sha256,
  pieceBytes: number,
  { onProgress, signal }: HashWatch,
): Promise<string> {
  for (let offset = 0; offset < sound.size; offset += pieceBytes) {
    signal?.throwIfAborted();
    const piece = await readPiece(sound, offset, pieceBytes);
    hash.update(piece);
    onProgress?.(offset + piece.byteLength);
  }
  return hexOf(hash.digest());
}
