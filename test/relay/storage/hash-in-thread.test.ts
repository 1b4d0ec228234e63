import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashInThread } from "../../../relay/storage/hash-in-thread.ts";

const PIECE = new Uint8Array(1024 ** 2).fill(7);
const PIECES = 128;

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < PIECES; made += 1) yield PIECE;
}

/** Microseconds of the processor that this thread used; other threads and programs don't count. */
async function ownTimeOf(act: () => Promise<string>): Promise<{ micros: number; hash: string }> {
  const before = process.threadCpuUsage();
  const hash = await act();
  const { user, system } = process.threadCpuUsage(before);
  return { micros: user + system, hash };
}

test("[U10] a sound is hashed again off the event loop", async () => {
  // The first one also starts a thread and compiles.
  await hashInThread(pieces());
  const inThread = await ownTimeOf(() => hashInThread(pieces()));
  const here = await ownTimeOf(async () => {
    const running = createHash("sha256");
    for await (const piece of pieces()) running.update(piece);
    return running.digest("hex");
  });
  expect(inThread.hash).toBe(here.hash);
  expect(inThread.micros / here.micros).toBeLessThan(0.8);
});
