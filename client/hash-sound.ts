// The one thing that the client takes from elsewhere: browsers hash only whole buffers, and on pages
// that came over plain http nothing at all. The build bundles it in.
// oxlint-disable-next-line no-restricted-imports -- bundled in, so it is no dependency
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import { readPiece } from "./sound-bytes.ts";

/** A running SHA-256. */
export interface Sha256 {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
}

export interface HashOptions {
  /** Begins one. Default: one in JavaScript, which works everywhere. */
  readonly sha256?: (() => Sha256) | undefined;
  /** Told after each piece how many bytes are hashed. */
  readonly onProgress?: (hashedBytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

const PIECE_BYTES = 1024 ** 2;

/**
 * The SHA-256 of a sound as lower-case hex; no more than 1 MiB of it is in memory at once.
 * @throws {ClientError} `SOUND_UNREADABLE`; the reason of `signal` when that aborts
 */
export async function hashSound(
  sound: Blob,
  { sha256 = () => portableSha256.create(), onProgress, signal }: HashOptions = {},
): Promise<string> {
  const hash = sha256();
  for (let offset = 0; offset < sound.size; offset += PIECE_BYTES) {
    signal?.throwIfAborted();
    const piece = await readPiece(sound, offset, PIECE_BYTES);
    hash.update(piece);
    onProgress?.(offset + piece.byteLength);
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
