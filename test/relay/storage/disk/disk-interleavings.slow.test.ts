import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { keysOf } from "../../../contracts/relay/sounds/sounds-case.ts";
import { type Interruption, interruptEachCall } from "./interruption.ts";
import { PowerCutDisk } from "./power-cut-disk.ts";
import { announced, bytesOf, readSound, storeSound, writeBytes } from "./stored-sounds.ts";

const KEY = "pkg_1/snd_1";
const BYTES = bytesOf(100_000);

/** A process that can be interrupted, and another one, on a store of their own. */
async function openTwo(interruption: Interruption) {
  const disk = await PowerCutDisk.create();
  return {
    own: await DiskSoundStore.open(disk.path, disk.process(interruption.before)),
    other: await DiskSoundStore.open(disk.path, disk.process()),
    stored: () => readdir(join(disk.path, "sounds"), { recursive: true }),
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  };
}

test.each(["finish", "suspend"] as const)(
  "[J1] a sound that is deleted at any point of its %s is gone, and its writer learns of it",
  async (ending) => {
    const points = await interruptEachCall(async (interruption) => {
      await using two = await openTwo(interruption);
      const writer = await two.own.create(KEY, announced(BYTES));
      await writeBytes(writer, BYTES);
      const end = interruption.interrupt<number | void>(
        () => writer[ending](),
        () => two.other.delete([KEY]),
      );
      const outcome = await outcomeOf(end);
      // The last call closes the file: the sound had ended, and was deleted after that.
      if (!interruption.hasHappened || interruption.wasLast) return;
      expect(outcome).toContain("deleted while it was written");
      expect(await two.stored()).toEqual([]);
      await writer.discard();
      expect(await two.stored()).toEqual([]);
    });
    expect(points).toBeGreaterThan(5);
  },
);

test.each(["finish", "suspend"] as const)(
  "[J1] a sound whose %s comes at any point of its deletion is gone",
  async (ending) => {
    const points = await interruptEachCall(async (interruption) => {
      await using two = await openTwo(interruption);
      const writer = await two.other.create(KEY, announced(BYTES));
      await writeBytes(writer, BYTES);
      await interruption.interrupt(
        () => two.own.delete([KEY]),
        () => outcomeOf(writer[ending]()),
      );
      if (!interruption.hasHappened) await outcomeOf(writer[ending]());
      expect(await two.own.sizes([KEY])).toEqual(new Map());
      expect(await keysOf(two.other)).toEqual([]);
      expect(await two.stored()).toEqual([]);
    });
    expect(points).toBeGreaterThan(4);
  },
);

test("[J1] a key is refused at any point while another process finishes it", async () => {
  const points = await interruptEachCall(async (interruption) => {
    await using two = await openTwo(interruption);
    const writer = await two.other.create(KEY, announced(BYTES));
    await writeBytes(writer, BYTES);
    const creating = interruption.interrupt(
      () => two.own.create(KEY, announced(BYTES)),
      () => writer.finish(),
    );
    expect(await outcomeOf(creating)).toBe(`${KEY} is in use.`);
    if (!interruption.hasHappened) await writer.finish();
    expect((await readSound(two.own, KEY))?.equals(BYTES)).toBe(true);
    expect(await two.stored()).toEqual(["pkg_1", join("pkg_1", "snd_1")]);
  });
  expect(points).toBe(2);
});

test("[J1] of two processes that create a key at once, one gets it", async () => {
  await interruptEachCall(async (interruption) => {
    await using two = await openTwo(interruption);
    let others = "";
    const creating = interruption.interrupt(
      () => two.own.create(KEY, announced(BYTES)),
      async () => {
        others = await outcomeOf(two.other.create(KEY, announced(BYTES)));
      },
    );
    const own = await outcomeOf(creating);
    if (!interruption.hasHappened) return;
    expect([own, others].toSorted()).toEqual(["", `${KEY} is in use.`]);
  });
});

test("nothing resumes a sound that another process finishes meanwhile", async () => {
  await interruptEachCall(async (interruption) => {
    await using two = await openTwo(interruption);
    const writer = await two.other.create(KEY, announced(BYTES));
    await writeBytes(writer, BYTES);
    const resumed = await interruption.interrupt(
      () => two.own.resume(KEY),
      () => writer.finish(),
    );
    if (interruption.hasHappened && !interruption.wasLast) expect(resumed).toBeUndefined();
    await resumed?.writer.suspend().catch(() => undefined);
    const found = await readSound(two.other, KEY);
    if (found !== undefined) expect(found.equals(BYTES)).toBe(true);
  });
});

test("[U5] a sound that starts while the last one beside it is deleted finds its folder", async () => {
  const points = await interruptEachCall(async (interruption) => {
    await using two = await openTwo(interruption);
    await storeSound(two.other, "pkg_1/snd_2");
    const bytes = await interruption.interrupt(
      () => storeSound(two.own, KEY),
      () => two.other.delete(["pkg_1/snd_2"]),
    );
    expect(await readSound(two.other, KEY)).toEqual(bytes);
  });
  expect(points).toBeGreaterThan(5);
});

const MOVES = [
  ["return", null],
  ["quarantine", 1],
] as const;

test.each(MOVES)(
  "[Z4] a sound is gone after its deletion, also with its %s by another process at any point",
  async (_, since) => {
    const points = await interruptEachCall(async (interruption) => {
      await using two = await openTwo(interruption);
      await storeSound(two.other, KEY);
      if (since === null) await two.other.quarantine([KEY], 1);
      await interruption.interrupt(
        () => two.own.delete([KEY]),
        () => two.other.quarantine([KEY], since),
      );
      await two.own.tidy();
      expect(await two.stored()).toEqual([]);
    });
    expect(points).toBeGreaterThan(4);
  },
);

test.each(MOVES)(
  "[Z4] a sound that is deleted at any point of its %s is gone",
  async (_, since) => {
    const points = await interruptEachCall(async (interruption) => {
      await using two = await openTwo(interruption);
      await storeSound(two.other, KEY);
      if (since === null) await two.other.quarantine([KEY], 1);
      await interruption.interrupt(
        () => two.own.quarantine([KEY], since),
        () => two.other.delete([KEY]),
      );
      if (!interruption.hasHappened) await two.other.delete([KEY]);
      await two.own.tidy();
      expect(await two.stored()).toEqual([]);
    });
    expect(points).toBeGreaterThan(4);
  },
);

/** The message of the error that a call rejects with; empty if it resolves. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
