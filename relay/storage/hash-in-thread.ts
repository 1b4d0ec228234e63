import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../program/own-files.ts";
import type { ToHash } from "./hash-worker.ts";

/** Ends with the last hash: there is one thread at a time, as others need the processor, too. */
let lastHash: Promise<unknown> = Promise.resolve();

/** SHA-256 of pieces in a thread of its own, as lowercase hex. */
export function hashInThread(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = lastHash.then(() => hashPieces(pieces));
  lastHash = hash.catch(() => undefined);
  return hash;
}

/** Both threads see these bytes: to hand over memory costs more time than to hash what is in it. */
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

/** @throws what ended the thread */
async function ask(worker: Worker, message: ToHash): Promise<unknown> {
  const answered = once(worker, "message");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(message);
  const [answer]: readonly unknown[] = await answered;
  return answer;
}
