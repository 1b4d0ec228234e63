import { createHash, type Hash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { hashInThread } from "../../../relay/storage/hash-in-thread.ts";

const PIECE = new Uint8Array(1024 ** 2).fill(7);
const PIECES = 8;

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < PIECES; made += 1) yield PIECE;
}

test("[U10] a sound is hashed again off the event loop", async () => {
  const running = createHash("sha256");
  const updates = vi.spyOn(Object.getPrototypeOf(running) as Hash, "update");
  const posts = vi.spyOn(Worker.prototype, "postMessage");
  onTestFinished(() => void vi.restoreAllMocks());
  const inThread = await hashInThread(pieces());
  expect(updates).not.toHaveBeenCalled();
  // To hand over memory costs more than to hash what is in it: messages only say where it is.
  const messages = posts.mock.calls.map(([message]) => JSON.stringify(message));
  expect(messages).toHaveLength(PIECES + 1);
  expect(Math.max(...messages.map((message) => message.length))).toBeLessThan(100);

  for await (const piece of pieces()) running.update(piece);
  expect(updates).toHaveBeenCalledTimes(PIECES);
  expect(inThread).toBe(running.digest("hex"));
});
