import { createSHA256, type IHasher } from "hash-wasm";
import { hexOf } from "../../../../client/wire/random-id.ts";
import type { RunningHash, StartHash } from "../../../../core/audio/running-hash.ts";

/** The largest sound that the browser hashes, which takes a copy of it in memory. */
const BROWSER_MAX_BYTES = 8 * 1024 ** 2;

/** Prepares the hash of a sound: WebAssembly is compiled before the bytes come. */
export async function prepareHash(sizeBytes: number): Promise<StartHash> {
  if (sizeBytes <= BROWSER_MAX_BYTES) return (size) => new BrowserHash(size);
  const hasher = await createSHA256();
  return () => new PiecewiseHash(hasher);
}

/** Gathers a small sound for the browser's own hash, the fastest. */
class BrowserHash implements RunningHash {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(sizeBytes: number) {
    this.#bytes = new Uint8Array(sizeBytes);
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
