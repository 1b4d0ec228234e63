// oxlint-disable-next-line no-restricted-imports -- bundled, so it is not installed
import { createSHA256, type IHasher } from "hash-wasm";
import type { FromWorker } from "./hash-worker.ts";

// The hash Worker: gets Blobs and answers with their SHA-256, one after another.

const PIECE_BYTES = 2 * 1024 ** 2;

/** The part of a Worker's global object used here. */
const scope: {
  onmessage: ((event: { readonly data: Blob }) => void) | null;
  postMessage(message: FromWorker): void;
} = globalThis as never;

try {
  const hasher = await createSHA256();
  scope.onmessage = ({ data }) => void answer(hasher, data);
  scope.postMessage({ kind: "ready" });
} catch {
  // A content policy may forbid WebAssembly.
  scope.postMessage({ kind: "failed" });
}

async function answer(hasher: IHasher, sound: Blob): Promise<void> {
  hasher.init();
  try {
    let next = read(sound, 0);
    for (let offset = 0; offset < sound.size;) {
      const piece = await next;
      offset += piece.byteLength;
      // The next piece is read while this one is hashed.
      next = read(sound, offset);
      hasher.update(piece);
      scope.postMessage({ kind: "hashed", hashedBytes: offset });
    }
    await next;
    scope.postMessage({ kind: "done", sha256: hasher.digest("hex") });
  } catch {
    scope.postMessage({ kind: "unreadable" });
  }
}

async function read(sound: Blob, offset: number): Promise<Uint8Array> {
  return new Uint8Array(await sound.slice(offset, offset + PIECE_BYTES).arrayBuffer());
}
