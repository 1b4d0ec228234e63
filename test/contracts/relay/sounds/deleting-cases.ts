import assert from "node:assert/strict";
import type { SoundWriter } from "../../../../relay/domain/ports.ts";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  collect,
  KIB,
  MIB,
  one,
  sampleBytes,
  type SoundsCase,
  start,
  store,
  two,
  write,
  writeSample,
} from "./sounds-case.ts";

/** The promises of a sound store about deleting. */
export const DELETING_CASES: readonly SoundsCase[] = [
  two("deletes exactly the given keys, and ignores missing ones", async (own, other) => {
    await store(own, "pkg_1/snd_1", 10);
    const kept = await store(own, "pkg_1/snd_2", 10);
    await own.delete(["pkg_1/snd_1", "pkg_1/snd_3", "pkg_9/snd_1"]);
    await own.delete([]);
    for (const sounds of [own, other]) {
      await assertAbsent(sounds, "pkg_1/snd_1", "was deleted");
      await assertWhole(sounds, "pkg_1/snd_2", kept);
    }
    await other.delete(["pkg_1/snd_1", "pkg_1/snd_2"]);
    for (const sounds of [own, other]) await assertAbsent(sounds, "pkg_1/snd_2", "was deleted");
  }),

  one("[J2] delete tries every key even after one fails, and then rejects", async (sounds) => {
    const keys = Array.from({ length: 20 }, (_, index) => `pkg_${index % 3}/snd_${index}`);
    for (const key of keys) await store(sounds, key, 10);
    const withBroken = [
      "../first",
      ...keys.slice(0, 10),
      "../middle",
      ...keys.slice(10),
      "../last",
    ];
    await assert.rejects(sounds.delete(withBroken), "A key that can't be deleted is passed over.");
    for (const key of keys) await assertAbsent(sounds, key, "was deleted along with a broken key");
  }),

  one("[J1] deleted sounds don't come back after a power cut", async (sounds, under) => {
    const keys = Array.from({ length: 40 }, (_, index) => `pkg_${index % 7}/snd_${index}`);
    await Promise.all(keys.map((key) => store(sounds, key, 1000)));
    const kept = await store(sounds, "pkg_1/kept", 1000, 3);
    await sounds.delete(keys.slice(0, 20));
    await Promise.all(keys.slice(20).map((key) => sounds.delete([key])));
    await under.powerCut();
    const later = await under.open();
    for (const key of keys) await assertAbsent(later, key, "was deleted before the power cut");
    await assertWhole(later, "pkg_1/kept", kept);
  }),

  two("[J1] a sound that is deleted while it is written never appears", async (...opened) => {
    const [own, other, under] = opened;
    for (const [index, deleting] of [own, other].entries()) {
      const [early, late] = [`pkg_${index}/early`, `pkg_${index}/late`];
      const bytes = sampleBytes(2 * MIB);
      const [earlyWriter, lateWriter] = [
        await start(own, early, bytes),
        await start(own, late, bytes),
      ];
      await write(lateWriter, bytes);
      await deleting.delete([early, late]);
      await endAfterDelete(earlyWriter, () => write(earlyWriter, bytes));
      await endAfterDelete(lateWriter);
      for (const sounds of [own, other]) {
        await assertAbsent(sounds, early, "was deleted before it was written");
        await assertAbsent(sounds, late, "was deleted before it was finished");
      }
    }
    await under.powerCut();
    const later = await under.open();
    for (const key of ["pkg_0/early", "pkg_0/late", "pkg_1/early", "pkg_1/late"]) {
      await assertAbsent(later, key, "was deleted before the power cut");
    }
  }),

  two("[J1] a sound that is deleted while it is being finished is gone", async (own, other) => {
    for (let round = 0; round < 60; round += 1) {
      const key = `pkg_${round % 3}/snd_${round}`;
      const { writer } = await writeSample(own, key, round * 500);
      const deleting = round % 2 === 0 ? own : other;
      const ending = endAfterDelete(writer, async () => turns(Math.floor(round / 4)));
      await Promise.all([ending, turns(round % 4).then(() => deleting.delete([key]))]);
      for (const sounds of [own, other]) await assertAbsent(sounds, key, "was deleted");
    }
  }),

  two("[S4] deleting never interrupts a reader, whatever process deletes", async (own, other) => {
    for (const [index, deleting] of [own, other].entries()) {
      const key = `pkg_1/snd_${index}`;
      const bytes = await store(own, key, 5 * MIB);
      const range = { start: 0, end: bytes.length - 1 };
      const early = await own.open(key, range);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await own.open(key, range)) ?? []) {
        if (pieces.length === 0) await deleting.delete([key]);
        pieces.push(piece);
      }
      const midway = await collect(from(pieces));
      assertSame(midway ?? new Uint8Array(), bytes, "What was being read while it was deleted");
      const found = await collect(early);
      assertSame(found ?? new Uint8Array(), bytes, "What was opened before it was deleted");
      await assertAbsent(own, key, "was deleted");
    }
  }),

  two("does not interfere with writes for the same package", async (own, other) => {
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const key = `pkg_1/snd_${index}`;
        const [writing, deleting] = index % 2 === 0 ? [own, other] : [other, own];
        const bytes = await store(writing, key, 100, index);
        await assertWhole(deleting, key, bytes);
        await deleting.delete([key]);
        await assertAbsent(writing, key, "was deleted");
      }),
    );
  }),

  two("both may delete the same keys at once", async (own, other) => {
    const keys = Array.from({ length: 30 }, (_, index) => `pkg_${index % 3}/snd_${index}`);
    await Promise.all(keys.map((key) => store(own, key, 100)));
    await Promise.all([own, other, own, other].map((sounds) => sounds.delete(keys)));
    for (const key of keys) await assertAbsent(other, key, "was deleted");
  }),

  two("keeps its promises under a heavy load of both", async (own, other) => {
    await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const key = `pkg_${index % 20}/snd_${index}`;
        const [writing, reading] = index % 2 === 0 ? [own, other] : [other, own];
        const { writer, bytes } = await writeSample(writing, key, (index % 50) * KIB + 1, index);
        if (index % 3 === 0) {
          await writer.discard();
          return assertAbsent(reading, key, "was discarded");
        }
        await writer.finish();
        await assertWhole(reading, key, bytes);
        if (index % 3 === 2) return;
        await reading.delete([key]);
        await assertAbsent(writing, key, "was deleted");
      }),
    );
    for (let index = 2; index < 120; index += 3) {
      const bytes = sampleBytes((index % 50) * KIB + 1, index);
      await assertWhole(own, `pkg_${index % 20}/snd_${index}`, bytes);
    }
  }),

  two("[Z3] nobody finds what was freed; missing keys are ignored", async (own, other) => {
    await store(own, "pkg_1/snd_1", 10);
    const kept = await store(own, "pkg_1/snd_2", 10);
    await own.delete(["pkg_1/snd_1", "pkg_1/snd_3", "pkg_9/snd_1"], { mayReturn: true });
    await own.delete([], { mayReturn: true });
    for (const sounds of [own, other]) {
      await assertAbsent(sounds, "pkg_1/snd_1", "was freed");
      await assertWhole(sounds, "pkg_1/snd_2", kept);
    }
  }),

  one("[J1] what was freed and then deleted stays away after a power cut", async (...opened) => {
    const [sounds, under] = opened;
    const keys = Array.from({ length: 20 }, (_, index) => `pkg_${index % 7}/snd_${index}`);
    await Promise.all(keys.map((key) => store(sounds, key, 1000)));
    const kept = await store(sounds, "pkg_1/kept", 1000, 3);
    await sounds.delete(keys, { mayReturn: true });
    await sounds.delete(keys);
    await under.powerCut();
    const later = await under.open();
    for (const key of keys) await assertAbsent(later, key, "was deleted before the power cut");
    await assertWhole(later, "pkg_1/kept", kept);
  }),

  one("[Z3] freeing tries every key even after one fails, and then rejects", async (sounds) => {
    const keys = ["pkg_1/snd_1", "pkg_2/snd_2"];
    for (const key of keys) await store(sounds, key, 10);
    await assert.rejects(
      sounds.delete(["../first", ...keys, "../last"], { mayReturn: true }),
      "It is passed over.",
    );
    for (const key of keys) await assertAbsent(sounds, key, "was freed along with a broken key");
  }),

  two("freeing never interrupts a running read", async (own, other) => {
    const bytes = sampleBytes(3 * MIB);
    await store(own, "pkg_1/snd_1", bytes.length);
    const pieces = await other.open("pkg_1/snd_1", { start: 0, end: bytes.length - 1 });
    await own.delete(["pkg_1/snd_1"], { mayReturn: true });
    assertSame((await collect(pieces)) ?? new Uint8Array(), bytes, "What was freed");
  }),
];

/** Ends the writer of a deleted sound as its caller would. The store may refuse each step, or do it without effect. */
async function endAfterDelete(
  writer: SoundWriter,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    await before();
    await writer.finish();
  } catch {
    await writer.discard();
  }
}

/** Lets others go first for a few turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function* from(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}
