import { createSHA256, type IHasher } from "hash-wasm";
import { hexOf } from "../../../../client/wire/random-id.ts";
import type { RunningHash, StartHash } from "../../../../core/audio/running-hash.ts";

/** The hash of one download, which may begin anew. */
export interface PreparedHash {
  readonly startHash: StartHash;
  /** Frees its memory. */
  readonly release: () => void;
}

/** Bytes of sounds that this thread holds for the browser's hash. */
let heldBytes = 0;

/**
 * Prepares the hash of a sound. The browser's own is several times faster, but needs the whole sound in memory; a sound for
 * which there is no room is hashed piece by piece in WebAssembly.
 * @param memoryBytes for all sounds that are held at once
 */
export async function prepareHash(sizeBytes: number, memoryBytes: number): Promise<PreparedHash> {
  if (heldBytes + sizeBytes <= memoryBytes) {
    heldBytes += sizeBytes;
    const bytes = new Uint8Array(sizeBytes);
    return {
      startHash: () => new BrowserHash(bytes),
      release: () => {
        heldBytes -= sizeBytes;
      },
    };
  }
  const hasher = await createSHA256();
  return { startHash: () => new PiecewiseHash(hasher), release: () => undefined };
}

/** Gathers a sound for the browser's own hash. */
class BrowserHash implements RunningHash {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  update(piece: Uint8Array): undefined {
    this.#bytes.set(piece, this.#length);
    this.#length += piece.byteLength;
  }

  async hex(): Promise<string> {
    const digest = await crypto.subtle.digest("SHA-256", this.#bytes.subarray(0, this.#length));
    return hexOf(new Uint8Array(digest));
  }
}

class PiecewiseHash implements RunningHash {
  readonly #hasher: IHasher;

  constructor(hasher: IHasher) {
    this.#hasher = hasher.init();
  }

  update(piece: Uint8Array): undefined {
    this.#hasher.update(piece);
  }

  async hex(): Promise<string> {
    return this.#hasher.digest("hex");
  }
}
