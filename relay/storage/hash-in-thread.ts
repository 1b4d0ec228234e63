import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../program/own-files.ts";

/** Ends with the last hash: there is one thread at a time, as others need the processor, too. */
let lastHash: Promise<unknown> = Promise.resolve();

/** SHA-256 of pieces in a thread of its own, as lowercase hex. */
export function hashInThread(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = lastHash.then(() => hashPieces(pieces));
  lastHash = hash.catch(() => undefined);
  return hash;
}

async function hashPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const worker = startOwnThread("relay/storage/hash-worker", undefined);
  try {
    let answered: Promise<unknown> = Promise.resolve();
    for await (const piece of pieces) {
      // Only its own bytes: a piece may be a part of something larger.
      const own = piece.slice();
      await answered;
      // The next piece is read meanwhile.
      answered = ask(worker, () => worker.postMessage(own, [own.buffer]));
    }
    await answered;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    return String(await ask(worker, () => worker.postMessage("end")));
  } finally {
    await worker.terminate();
  }
}

/** @throws what ended the thread */
async function ask(worker: Worker, post: () => void): Promise<unknown> {
  const answered = once(worker, "message");
  post();
  const [answer]: readonly unknown[] = await answered;
  return answer;
}
