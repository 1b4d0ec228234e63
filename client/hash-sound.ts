// The client's only dependency: browsers hash only whole buffers, and nothing at all on pages loaded over
// plain http. The build bundles it.
// oxlint-disable-next-line no-restricted-imports -- bundled, so it is not installed
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import { readPiece } from "./sound-bytes.ts";

/** An incremental SHA-256. */
export interface Sha256 {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
}

export interface HashOptions {
  /** Creates a hash. Default: one in JavaScript, which works everywhere. */
  readonly sha256?: (() => Sha256) | undefined;
  /** Called after each piece with the number of bytes hashed. */
  readonly onProgress?: (hashedBytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

const PIECE_BYTES = 1024 ** 2;

/**
 * The SHA-256 of a sound as lowercase hex. Holds at most 1 MiB in memory.
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
