import { createSHA256, type IHasher } from "hash-wasm";
import { hexOf } from "../../../../client/wire/random-id.ts";
import type { RunningHash, StartHash } from "../../../../core/audio/running-hash.ts";

/** The hash of one download, which may begin again. */
export interface PreparedHash {
  readonly startHash: StartHash;
  /** Frees its memory. */
  readonly release: () => void;
}

/** Memory that no sound uses now. It is kept, because a browser frees what is dropped only late. */
let free: Uint8Array<ArrayBuffer>[] = [];
/** Bytes that sounds use now. */
let heldBytes = 0;

/**
 * Prepares the hash of a sound. The browser's own is several times faster, but needs the whole sound in memory; a sound for
 * which there is no room is hashed piece by piece in WebAssembly.
 * @param memoryBytes for all sounds that are held at once
 */
export async function prepareHash(sizeBytes: number, memoryBytes: number): Promise<PreparedHash> {
  const bytes = takeMemory(sizeBytes, memoryBytes);
  if (bytes === undefined) {
    const hasher = await createSHA256();
    return { startHash: () => new PiecewiseHash(hasher), release: () => undefined };
  }
  const release = (): void => {
    heldBytes -= bytes.byteLength;
    free.push(bytes);
  };
  return { startHash: () => new BrowserHash(bytes), release };
}

/** Returns memory for a sound, used before where it is large enough; undefined if there is no room. */
function takeMemory(sizeBytes: number, memoryBytes: number): Uint8Array<ArrayBuffer> | undefined {
  const known = free.find((one) => one.byteLength >= sizeBytes);
  if (heldBytes + (known?.byteLength ?? sizeBytes) > memoryBytes) return undefined;
  const freeBytes = free.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (known === undefined && heldBytes + freeBytes + sizeBytes > memoryBytes) free = [];
  free = free.filter((one) => one !== known);
  const bytes = known ?? new Uint8Array(sizeBytes);
  heldBytes += bytes.byteLength;
  return bytes;
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
