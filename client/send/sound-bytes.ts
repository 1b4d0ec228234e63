import type { ReadAt } from "../../core/audio/read-wav-header-at.ts";
import { ClientError, unreadableSound } from "../wire/client-error.ts";
import { hexOf } from "../wire/random-id.ts";
import type { SoundSource } from "./package-draft.ts";

/**
 * Returns a sound's bytes as a Blob; a Blob or File is returned unchanged.
 * @param label names the sound in the error's sentence
 * @throws {ClientError} `SOUND_UNREADABLE` if it is none of these
 */
export function blobOf(source: SoundSource, label: string): Blob {
  if (source instanceof Blob) return source;
  if (source instanceof ArrayBuffer) return new Blob([source]);
  // A Blob does not accept memory that other threads may write to.
  if (source instanceof Uint8Array) return new Blob([new Uint8Array(source)]);
  const sentence = `${label} has no bytes: its source must be a Blob, a File or bytes.`;
  throw new ClientError(sentence, { code: "SOUND_UNREADABLE" });
}

/**
 * Reads a piece of a sound; the last piece may be shorter.
 * @param label names the sound in the error's sentence; default: its file name
 * @throws {ClientError} `SOUND_UNREADABLE`
 * @internal Its return type needs TypeScript 5.7.
 */
export async function readPiece(
  sound: Blob,
  offset: number,
  length: number,
  label: string | undefined = fileNameOf(sound),
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await sound.slice(offset, offset + length).arrayBuffer());
  } catch (cause) {
    throw unreadableSound(cause, label);
  }
}

/** Returns what reads pieces of a sound, as `readPiece` does. */
export function readerOf(sound: Blob, label?: string): ReadAt {
  return (offset, length) => readPiece(sound, offset, length, label);
}

/** Returns the sound's file name if it is a `File`. */
export function fileNameOf(sound: Blob): string | undefined {
  const name: unknown = Reflect.get(sound, "name");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** An incremental SHA-256. */
export interface Sha256 {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Settings of the hashing of sounds. */
export interface HashSettings {
  /** Creates a hash that runs on this thread. */
  readonly sha256?: (() => Sha256) | undefined;
  /** Address of the Worker's script. Default: a Blob. */
  readonly workerUrl?: string | undefined;
}

/** Callbacks and the abort signal for hashing one sound. */
export interface HashWatch {
  /** Called with the number of bytes hashed so far. */
  readonly onProgress?: ((hashedBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Hashes on this thread, piece by piece, and lets other tasks run in between.
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
