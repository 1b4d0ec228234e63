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
  writeSample,
} from "./sounds-case.ts";

const SIZES = [1, 64 * KIB, 100_000, 3 * MIB];

/** The promises of a sound store about finished sounds (rule J1). */
export const FINISHING_CASES: readonly SoundsCase[] = [
  two("[J1][U7] a sound appears only once it is finished, and then to all", async (own, other) => {
    const bytes = sampleBytes(3 * MIB);
    const writer = await start(own, "pkg_1/snd_1", bytes);
    for (const sounds of [own, other]) await assertAbsent(sounds, "pkg_1/snd_1", "has no bytes");
    await write(writer, bytes);
    for (const sounds of [own, other]) await assertAbsent(sounds, "pkg_1/snd_1", "isn't finished");
    await writer.finish();
    for (const sounds of [own, other]) await assertWhole(sounds, "pkg_1/snd_1", bytes);
  }),

  one("[U5] a discarded sound leaves nothing", async (sounds, under) => {
    const other = await under.open();
    for (const [index, size] of [0, 10, 5 * MIB + 10].entries()) {
      const key = `pkg_1/snd_${index}`;
      const writer = await start(sounds, key, sampleBytes(5 * MIB + 10));
      await write(writer, sampleBytes(size));
      await writer.discard();
      for (const each of [sounds, other]) await assertAbsent(each, key, "was discarded");
    }
    await under.powerCut();
    const later = await under.open();
    for (const index of [0, 1, 2]) await assertAbsent(later, `pkg_1/snd_${index}`, "was discarded");
  }),

  one("[J1] a finished sound survives a power cut", async (sounds, under) => {
    for (const [index, size] of SIZES.entries()) await store(sounds, keyOf(index), size, index);
    await under.powerCut();
    const later = await under.open();
    for (const [index, size] of SIZES.entries()) {
      await assertWhole(later, keyOf(index), sampleBytes(size, index));
    }
  }),

  one("[J1] each finished sound survives a power cut right after it", async (sounds, under) => {
    let next = sounds;
    for (let index = 0; index < 10; index += 1) {
      const bytes = await store(next, keyOf(index), 1000 * index + 1, index);
      await under.powerCut();
      next = await under.open();
      await assertWhole(next, keyOf(index), bytes);
    }
  }),

  one(
    "[J1] of an unfinished sound nothing can be opened after a power cut",
    async (sounds, under) => {
      const kept = await store(sounds, "pkg_1/snd_1", 1000);
      await start(sounds, "pkg_1/snd_2", sampleBytes(1000));
      await writeSample(sounds, "pkg_1/snd_3", 1000);
      await writeSample(sounds, "pkg_2/snd_4", 3 * MIB);
      await under.powerCut();
      const later = await under.open();
      for (const key of ["pkg_1/snd_2", "pkg_1/snd_3", "pkg_2/snd_4"]) {
        await assertAbsent(later, key, "was never finished");
      }
      await later.delete(["pkg_1/snd_2", "pkg_1/snd_3", "pkg_2/snd_4"]);
      await assertWhole(later, "pkg_1/snd_1", kept);
    },
  ),

  two("[J1] a power cut among many writers leaves whole sounds or none", async (...opened) => {
    const [first, second, under] = opened;
    const finished = new Set<number>();
    const running = Array.from({ length: 40 }, async (_, index) => {
      const sounds = index % 2 === 0 ? first : second;
      await store(sounds, keyOf(index), 10_000 * index + 1, index);
      finished.add(index);
    });
    // Calls that the power cut interrupts may fail, or never end.
    void Promise.allSettled(running);
    await Promise.all(running.slice(0, 8));
    await under.powerCut();
    const promised = new Set(finished);

    const later = await under.open();
    for (let index = 0; index < 40; index += 1) {
      const bytes = sampleBytes(10_000 * index + 1, index);
      const found = await read(later, keyOf(index), 0, bytes.length - 1);
      if (found !== undefined) assertSame(found, bytes, keyOf(index));
      else assert.ok(!promised.has(index), `${keyOf(index)} was finished, and is lost.`);
    }
  }),

  one(
    "[U7] after a crash unfinished sounds are not found, and finished ones are whole",
    async (sounds, under) => {
      const bytes = await store(sounds, "pkg_1/snd_1", MIB);
      const { writer } = await writeSample(sounds, "pkg_1/snd_2", 2 * MIB);
      const later = await under.open();
      await assertWhole(later, "pkg_1/snd_1", bytes);
      await assertAbsent(later, "pkg_1/snd_2", "isn't finished");
      await later.delete(["pkg_1/snd_2"]);
      await assertWhole(later, "pkg_1/snd_1", bytes);
      await writer.discard();
    },
  ),

  one("a writer can still be discarded after its finish failed", async (sounds) => {
    const { writer } = await writeSample(sounds, "pkg_1/snd_1", 1000);
    await sounds.delete(["pkg_1/snd_1"]);
    const failure = await writer.finish().then(
      () => undefined,
      (error: unknown) => error ?? "nothing",
    );
    if (failure !== undefined) await writer.discard();
    await assertAbsent(sounds, "pkg_1/snd_1", "was deleted");
  }),
];

function keyOf(index: number): string {
  return `pkg_${index % 4}/snd_${index}`;
}
