import { createHash, type Hash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { expect, type MockInstance, onTestFinished, test, vi } from "vitest";
import { hashInThread } from "../../../program/hashing/hash-thread.ts";

const MIB = 1024 ** 2;
const updates = () => {
  onTestFinished(() => void vi.restoreAllMocks());
  return vi.spyOn(Object.getPrototypeOf(createHash("sha256")) as Hash, "update");
};

test("[U12] many sounds at once are hashed off the event loop, pieces of any size in their order", async () => {
  const here = updates();
  const sizes = [0, 1, 65_535, 65_536, 65_537, 9 * MIB, 3, 300_000];
  const pieceOf = (sound: number, turn: number) =>
    new Uint8Array(sizes[(sound + turn) % sizes.length] ?? 0).fill(16 * sound + turn);
  const turns = sizes.map((_, turn) => turn);
  const sounds = [1, 2, 3, 4, 5];
  const hexes = sounds.map(async (sound) => {
    const running = hashInThread();
    for (const turn of turns) await running.update(pieceOf(sound, turn));
    return running.hex();
  });
  const inThread = await Promise.all(hexes);
  expect(here).not.toHaveBeenCalled();
  const expected = sounds.map((sound) => {
    const running = createHash("sha256");
    for (const turn of turns) running.update(pieceOf(sound, turn));
    return running.digest("hex");
  });
  expect(inThread).toEqual(expected);
});

test("[U12] a piece may change once it is taken, and one that must wait once that is over", async () => {
  const running = hashInThread();
  const expected = createHash("sha256");
  // Copying is several times as fast as hashing, and the memory that both share has 4 MiB.
  const piece = new Uint8Array(64 * MIB);
  let waited = 0;
  for (let turn = 1; turn <= 2; turn += 1) {
    expected.update(piece.fill(turn));
    const behind = running.update(piece);
    if (behind === undefined) continue;
    waited += 1;
    await behind;
  }
  expect(waited).toBeGreaterThan(0);
  expect(await running.hex()).toBe(expected.digest("hex"));
});

/** Fails the thread that was kept alive for an answer first. */
function failThread(refs: MockInstance<Worker["ref"]>, message: string): void {
  (refs.mock.contexts[0] as Worker).emit("error", new Error(message));
}

test("[U12] if the thread ends, its hashes fail at once, and the next sound gets a new thread", async () => {
  const refs = vi.spyOn(Worker.prototype, "ref");
  onTestFinished(() => void vi.restoreAllMocks());
  const first = hashInThread();
  const second = hashInThread();
  const third = hashInThread();
  const running = Promise.allSettled([second.hex(), first.update(new Uint8Array(64 * MIB))]);
  failThread(refs, "Out of memory.");
  const failed = { status: "rejected", reason: new Error("Out of memory.") };
  expect(await running).toEqual([failed, failed]);
  expect(third.isLost).toBe(true);
  expect(() => third.update(new Uint8Array(1))).toThrow("Out of memory.");
  await expect(third.hex()).rejects.toThrow("Out of memory.");
  expect(await hashInThread().hex()).toBe(createHash("sha256").digest("hex"));
  expect(new Set(refs.mock.contexts).size).toBe(2);
});

test("[U12] the thread ends after two minutes without a byte", async () => {
  const refs = vi.spyOn(Worker.prototype, "ref");
  onTestFinished(() => void vi.restoreAllMocks());
  await hashInThread().hex();
  failThread(refs, "The next one counts a time of ours.");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const kept = hashInThread();
  for (let minutes = 0; minutes < 5; minutes += 1) {
    await kept.update(new Uint8Array(10));
    vi.advanceTimersByTime(119_000);
  }
  expect(kept.isLost).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(kept.isLost).toBe(true);
});
