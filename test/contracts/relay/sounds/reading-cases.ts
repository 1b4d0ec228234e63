import assert from "node:assert/strict";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  KIB,
  MIB,
  one,
  read,
  sampleBytes,
  type SoundsCase,
  start,
  store,
  two,
  write,
} from "./sounds-case.ts";

const PIECES: readonly (readonly [name: string, sizes: readonly number[]])[] = [
  ["one byte", [1]],
  ["pieces of a socket", Array<number>(48).fill(64 * KIB)],
  ["pieces of every size", [1, 70_000, 3, 4 * MIB, 65_535, 65_537, 17]],
  ["pieces that are tiny", Array<number>(5000).fill(3)],
  ["a piece of nothing among others", [10, 0, 10]],
];

const NO_KEYS = [
  "../outside",
  "pkg_1/../../outside",
  "pkg_1/..",
  "./snd_1",
  "/etc/passwd",
  "pkg_1//snd_1",
  "pkg_1/a/b",
  "pkg_1\\snd_1",
  "pkg_1",
  "pkg_1/",
  "pkg_1/snd\0",
  "pkg_1/snd_1\n",
  "",
];

/** The promises of a sound store about written bytes, and about keys. */
export const READING_CASES: readonly SoundsCase[] = [
  ...PIECES.map(([name, sizes]) =>
    one(`returns the bytes of ${name} in order`, async (sounds) => {
      const bytes = sampleBytes(sizes.reduce((sum, size) => sum + size, 0));
      const writer = await start(sounds, "pkg_1/snd_1", bytes);
      await write(writer, bytes, sizes);
      await writer.finish();
      await assertWhole(sounds, "pkg_1/snd_1", bytes);
    }),
  ),

  one("[I2] reads any range, both ends included", async (sounds) => {
    const bytes = await store(sounds, "pkg_1/snd_1", 3 * MIB);
    const last = bytes.length - 1;
    for (const [from, to] of [
      [0, 0],
      [last, last],
      [1, last - 1],
      [512 * KIB - 1, 512 * KIB],
      [1_000_000, 2_000_000],
    ] as const) {
      const found = await read(sounds, "pkg_1/snd_1", from, to);
      assert.ok(found, "A finished sound can't be opened.");
      assertSame(found, bytes.subarray(from, to + 1), `The range ${from}-${to}`);
    }
  }),

  one("pieces belong to their reader, who may change them", async (sounds) => {
    const bytes = await store(sounds, "pkg_1/snd_1", 200 * KIB);
    const pieces = await sounds.open("pkg_1/snd_1", { start: 0, end: bytes.length - 1 });
    for await (const piece of pieces ?? []) piece.fill(255);
    await assertWhole(sounds, "pkg_1/snd_1", bytes);
  }),

  two("does not mix concurrent writers of both instances", async (first, second) => {
    const sizes = Array.from({ length: 40 }, (_, index) => 100_000 + index * 7919);
    const stored = await Promise.all(
      sizes.map(async (size, index) => {
        const key = `pkg_${index % 5}/snd_${index}`;
        return { key, bytes: await store(index % 2 === 0 ? first : second, key, size, index) };
      }),
    );
    for (const { key, bytes } of stored) {
      await assertWhole(first, key, bytes);
      await assertWhole(second, key, bytes);
    }
  }),

  two("does not mix concurrent readers of one sound", async (first, second) => {
    const bytes = await store(first, "pkg_1/snd_1", 2 * MIB);
    await Promise.all(
      Array.from({ length: 10 }, async (_, from) => {
        const sounds = from % 2 === 0 ? first : second;
        const found = await read(sounds, "pkg_1/snd_1", from, bytes.length - 1);
        assert.ok(found, "A finished sound can't be opened.");
        assertSame(found, bytes.subarray(from), `The sound from byte ${from} on`);
      }),
    );
  }),

  one("finds nothing under a key that was never written", async (sounds) => {
    await store(sounds, "pkg_1/snd_1", 10);
    for (const key of ["pkg_1/snd_2", "pkg_2/snd_1", "pkg_1/snd_"]) {
      await assertAbsent(sounds, key, "was never written");
    }
  }),

  one("sizes answers for many keys at once", async (sounds) => {
    const keys = Array.from({ length: 100 }, (_, index) => `pkg_${index % 7}/snd_${index}`);
    const even = keys.filter((_, index) => index % 2 === 0);
    await Promise.all(even.map((key) => store(sounds, key, 10)));
    const found = [...(await sounds.sizes(keys)).keys()];
    assert.deepEqual(found.toSorted(), even.toSorted(), "sizes names the wrong keys.");
    assert.equal((await sounds.sizes([])).size, 0, "sizes finds keys that nobody asked for.");
  }),

  ...NO_KEYS.map((key) =>
    one(`refuses the key ${JSON.stringify(key)}`, async (sounds) => {
      const bytes = sampleBytes(1);
      await assert.rejects(start(sounds, key, bytes), "create accepts it.");
      const range = { start: 0, end: 0 };
      await assert.rejects(sounds.open(key, range), "open accepts it.");
      await assert.rejects(sounds.delete([key]), "delete accepts it.");
    }),
  ),

  one("room is a whole number of bytes, or unknown", async (sounds) => {
    const room = await sounds.room();
    if (room === "unknown") return;
    assert.ok(Number.isInteger(room) && room >= 0, `room answers ${room}.`);
  }),
];
