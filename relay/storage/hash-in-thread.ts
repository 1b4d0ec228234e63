import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../program/own-files.ts";
import type { ToHash } from "./hash-worker.ts";

/** The end of the last requested hash. Only one thread hashes at a time: others need the processor, too. */
let lastHash: Promise<unknown> = Promise.resolve();

/** Computes the SHA-256 of pieces in a separate thread. Resolves with lowercase hex. */
export function hashInThread(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = lastHash.then(() => hashPieces(pieces));
  lastHash = hash.catch(() => undefined);
  return hash;
}

/** Size of a slot of memory that both threads share: transferring memory takes longer than hashing its content. */
const SLOT_BYTES = 1024 ** 2;

async function hashPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const slots = [0, 1].map(() => new Uint8Array(new SharedArrayBuffer(SLOT_BYTES)));
  const worker = startOwnThread("relay/storage/hash-worker", slots);
  try {
    let answered: Promise<unknown> = Promise.resolve();
    let turn = 0;
    for await (const slice of slicesOf(pieces)) {
      const slot = turn % slots.length;
      slots[slot]?.set(slice);
      await answered;
      // The next slice goes into the other slot meanwhile.
      answered = ask(worker, { slot, bytes: slice.byteLength });
      turn += 1;
    }
    await answered;
    return String(await ask(worker, "end"));
  } finally {
    await worker.terminate();
  }
}

async function* slicesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let start = 0; start < piece.byteLength; start += SLOT_BYTES) {
      yield piece.subarray(start, start + SLOT_BYTES);
    }
  }
}

/** Sends a message to the thread and waits for the answer. @throws the error that ended the thread */
async function ask(worker: Worker, message: ToHash): Promise<unknown> {
  const answered = once(worker, "message");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(message);
  const [answer]: readonly unknown[] = await answered;
  return answer;
}
