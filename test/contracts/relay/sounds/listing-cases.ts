import assert from "node:assert/strict";
import {
  gather,
  keysOf,
  one,
  sampleBytes,
  type SoundsCase,
  start,
  store,
  two,
  write,
  writeSample,
} from "./sounds-case.ts";

/** The promises of a sound store about what it lists. */
export const LISTING_CASES: readonly SoundsCase[] = [
  one("lists nothing at the start", async (sounds) => {
    assert.deepEqual(await keysOf(sounds), []);
  }),

  two("lists each sound once, finished or not, from every instance", async (own, other) => {
    await store(own, "pkg_1/snd_1", 10);
    await store(other, "pkg_2/snd_2", 10);
    const writer = await start(own, "pkg_2/snd_3", sampleBytes(10));
    const written = await writeSample(other, "pkg_3/snd_4", 100_000);
    const keys = ["pkg_1/snd_1", "pkg_2/snd_2", "pkg_2/snd_3", "pkg_3/snd_4"];
    for (const sounds of [own, other]) assert.deepEqual(await keysOf(sounds), keys);
    await write(writer, sampleBytes(10));
    await writer.finish();
    await written.writer.finish();
    for (const sounds of [own, other]) assert.deepEqual(await keysOf(sounds), keys);
  }),

  two("[U5] does not list what was discarded or deleted", async (own, other) => {
    for (const size of [0, 10, 3_000_000]) {
      await (await writeSample(own, `pkg_1/snd_${size}`, size)).writer.discard();
      await store(own, `pkg_2/snd_${size}`, size + 1);
      await other.delete([`pkg_2/snd_${size}`]);
      for (const sounds of [own, other]) assert.deepEqual(await keysOf(sounds), []);
    }
  }),

  one(
    "[U7] lists what a power cut left unfinished, if it left something",
    async (sounds, under) => {
      await store(sounds, "pkg_1/snd_1", 1000);
      await writeSample(sounds, "pkg_1/snd_2", 1000);
      await writeSample(sounds, "pkg_2/snd_3", 3_000_000);
      await under.powerCut();
      const later = await under.open();
      const left = (await keysOf(later)).filter((key) => key !== "pkg_1/snd_1");
      for (const key of left) assert.match(key, /^pkg_(1\/snd_2|2\/snd_3)$/);
      await later.delete(left);
      assert.deepEqual(await keysOf(later), ["pkg_1/snd_1"]);
    },
  ),

  two("[Z4] lists each sound with its size, and whether it is finished", async (own, other) => {
    await store(own, "pkg_1/snd_1", 10);
    await writeSample(other, "pkg_2/snd_3", 0);
    for (const sounds of [own, other]) {
      const listed = (await gather(sounds.list())).toSorted((a, b) => (a.key < b.key ? -1 : 1));
      assert.deepEqual(
        listed.map(({ key, bytes, isFinished }) => ({ key, bytes, isFinished })),
        [
          { key: "pkg_1/snd_1", bytes: 10, isFinished: true },
          { key: "pkg_2/snd_3", bytes: 0, isFinished: false },
        ],
      );
      for (const { changedAt } of listed) assert.ok(changedAt > 0, "It was never written.");
    }
  }),
];
