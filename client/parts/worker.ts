// oxlint-disable-next-line no-restricted-imports -- bundled, so it is not installed
import { createSHA256, type IHasher } from "hash-wasm";
import { hexOf } from "../wire/random-id.ts";
import type { FromWorker } from "./hash-worker.ts";
import { isWorkerPort, type WorkerPort } from "./worker-port.ts";

// The hash Worker receives Blobs and answers with their SHA-256, one after another.

const PIECE_BYTES = 1024 ** 2;
/** The browser hashes whole files only and holds two or three copies of them. */
const BROWSER_MAX_BYTES = 64 * 1024 ** 2;

const scope: object = globalThis;
if (isWorkerPort<FromWorker, Blob>(scope)) await serve(scope);

async function serve(port: WorkerPort<FromWorker, Blob>): Promise<void> {
  // A content policy may forbid WebAssembly.
  const hasher = await createSHA256().catch(() => undefined);
  if (hasher === undefined) return port.postMessage({ kind: "failed" });
  port.addEventListener("message", ({ data }) => {
    const hash = canBrowserHash(data) ? hashInBrowser : hashInPieces;
    void hash(hasher, data, (hashedBytes) =>
      port.postMessage({ kind: "hashed", hashedBytes }),
    ).then(
      (sha256) => port.postMessage({ kind: "done", sha256 }),
      () => port.postMessage({ kind: "unreadable" }),
    );
  });
  port.postMessage({ kind: "ready" });
}

/** True for a small file, except on pages that were loaded over plain http. */
function canBrowserHash({ size }: Blob): boolean {
  return size <= BROWSER_MAX_BYTES && Reflect.get(crypto, "subtle") !== undefined;
}

async function hashInBrowser(
  _: IHasher,
  sound: Blob,
  onProgress: (hashedBytes: number) => void,
): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await sound.arrayBuffer());
  onProgress(sound.size);
  return hexOf(new Uint8Array(digest));
}

async function hashInPieces(
  hasher: IHasher,
  sound: Blob,
  onProgress: (hashedBytes: number) => void,
): Promise<string> {
  hasher.init();
  let next = read(sound, 0);
  for (let offset = 0; offset < sound.size;) {
    const piece = await next;
    offset += piece.byteLength;
    // The next piece is read while this one is hashed.
    next = read(sound, offset);
    hasher.update(piece);
    onProgress(offset);
  }
  await next;
  return hasher.digest("hex");
}

async function read(sound: Blob, offset: number): Promise<Uint8Array> {
  return new Uint8Array(await sound.slice(offset, offset + PIECE_BYTES).arrayBuffer());
}
