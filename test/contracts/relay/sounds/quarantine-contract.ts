import assert from "node:assert/strict";
import type { QuarantiningSoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  collect,
  gather,
  keysOf,
  type MakeSoundStore,
  one,
  onSoundStore,
  sampleBytes,
  type SoundsCase,
  start,
  store,
  two,
  write,
  writeSample,
} from "./sounds-case.ts";

const KEY = "pkg_1/snd_1";
const BESIDE = "pkg_1/snd_2";
const SINCE = 1_700_000_000_000;

const CASES: readonly SoundsCase<QuarantiningSoundStore>[] = [
  two("[Z2] tells the sizes of finished sounds, and of no others", async (own, other) => {
    await store(own, KEY, 10);
    await store(own, BESIDE, 0);
    await store(own, "pkg_2/snd_aside", 20);
    await own.quarantine(["pkg_2/snd_aside"], SINCE);
    await writeSample(own, "pkg_2/snd_3", 30);
    const keys = [KEY, BESIDE, "pkg_2/snd_aside", "pkg_2/snd_3", "pkg_3/snd_none"];
    const expected = new Map([
      [KEY, 10],
      [BESIDE, 0],
    ]);
    for (const sounds of [own, other]) assert.deepEqual(await sounds.sizes(keys), expected);
  }),

  two("[Z4] a quarantined sound is found by nobody, and listed apart", async (own, other) => {
    await store(own, KEY, 10);
    const beside = await store(own, BESIDE, 20);
    await own.quarantine([KEY], SINCE);
    for (const sounds of [own, other]) {
      await assertAbsent(sounds, KEY, "is in the quarantine");
      await assertWhole(sounds, BESIDE, beside);
      assert.deepEqual(await keysOf(sounds), [BESIDE]);
      const quarantined = await gather(sounds.listQuarantined());
      assert.deepEqual(quarantined, [{ key: KEY, bytes: 10, since: SINCE }]);
    }
  }),

  one("[Z4] lists the quarantined sounds of one package", async (sounds) => {
    for (const key of [KEY, BESIDE, "pkg_2/snd_3"]) await store(sounds, key, 10);
    await sounds.quarantine([KEY, "pkg_2/snd_3"], SINCE);
    await sounds.quarantine([BESIDE], SINCE + 1);
    const asideOf = async (packageId: string) =>
      (await gather(sounds.listQuarantined(packageId))).map(({ key }) => key).toSorted();
    assert.deepEqual(await asideOf("pkg_1"), [KEY, BESIDE]);
    assert.deepEqual(await asideOf("pkg_2"), ["pkg_2/snd_3"]);
    assert.deepEqual(await asideOf("pkg_3"), []);
  }),

  two("[Z4] what is put back is whole, for everyone", async (own, other) => {
    const bytes = await store(own, KEY, 1000);
    const later = await store(own, BESIDE, 2000, 1);
    await own.quarantine([KEY], SINCE);
    await own.quarantine([BESIDE], SINCE + 1);
    await other.quarantine([KEY, BESIDE], null);
    for (const sounds of [own, other]) {
      await assertWhole(sounds, KEY, bytes);
      await assertWhole(sounds, BESIDE, later);
      assert.deepEqual(await gather(sounds.listQuarantined()), []);
    }
  }),

  one("[Z4] ignores what it doesn't have: unfinished, unknown, already moved", async (sounds) => {
    const { writer, bytes } = await writeSample(sounds, KEY, 1000);
    await sounds.quarantine([KEY, BESIDE], SINCE);
    await sounds.quarantine([KEY, BESIDE], null);
    assert.deepEqual(await gather(sounds.listQuarantined()), []);
    await writer.finish();
    await assertWhole(sounds, KEY, bytes);
    await sounds.quarantine([KEY], SINCE);
    await sounds.quarantine([KEY], SINCE + 1);
    assert.deepEqual(await gather(sounds.listQuarantined()), [
      { key: KEY, bytes: 1000, since: SINCE },
    ]);
  }),

  two("[Z4] delete also deletes in the quarantine, and nothing else there", async (own, other) => {
    await store(own, KEY, 10);
    const kept = await store(own, BESIDE, 10, 1);
    await own.quarantine([KEY, BESIDE], SINCE);
    await other.delete([KEY]);
    await other.quarantine([KEY, BESIDE], null);
    await assertAbsent(own, KEY, "was deleted");
    await assertWhole(own, BESIDE, kept);
  }),

  one("[Z4] moves and deletions survive a power cut", async (sounds, under) => {
    const keys = Array.from({ length: 12 }, (_, index) => `pkg_${index % 3}/snd_${index}`);
    for (const key of keys) await store(sounds, key, 100);
    await sounds.quarantine(keys.slice(0, 9), SINCE);
    await sounds.quarantine(keys.slice(0, 6), null);
    await sounds.delete(keys.slice(0, 3));
    await sounds.delete(keys.slice(6, 7));
    await under.powerCut();
    const later = await under.open();
    const listed = await keysOf(later);
    assert.deepEqual(listed, [...keys.slice(3, 6), ...keys.slice(9)].toSorted());
    const quarantined = (await gather(later.listQuarantined())).map(({ key }) => key);
    assert.deepEqual(quarantined.toSorted(), keys.slice(7, 9).toSorted());
    await later.quarantine(keys, null);
    for (const key of keys.slice(7)) await assertWhole(later, key, sampleBytes(100));
  }),

  two("[Z4] quarantining never interrupts a reader", async (own, other) => {
    const bytes = await store(own, KEY, 1_000_000);
    const reading = await own.open(KEY, { start: 0, end: bytes.length - 1 });
    await other.quarantine([KEY], SINCE);
    assertSame((await collect(reading)) ?? new Uint8Array(), bytes, "What was being read");
  }),

  two("[Z4] tidying leaves every sound, and those that start meanwhile", async (own, other) => {
    const kept = await store(own, KEY, 10);
    await store(own, "pkg_2/snd_3", 10);
    await own.quarantine(["pkg_2/snd_3"], SINCE);
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const key = `pkg_${10 + index}/snd_${index}`;
        const bytes = sampleBytes(100, index);
        const [writing, tidying] = index % 2 === 0 ? [own, other] : [other, own];
        const [writer] = await Promise.all([start(writing, key, bytes), tidying.tidy()]);
        await write(writer, bytes);
        await tidying.tidy();
        await writer.finish();
        await assertWhole(tidying, key, bytes);
      }),
    );
    await assertWhole(other, KEY, kept);
    const quarantined = await gather(other.listQuarantined());
    assert.deepEqual(quarantined, [{ key: "pkg_2/snd_3", bytes: 10, since: SINCE }]);
  }),
];

/** Makes the extra cases for a sound store that has a quarantine. */
export function quarantineContract(
  make: MakeSoundStore<QuarantiningSoundStore>,
): readonly ContractCase[] {
  return onSoundStore(make, CASES);
}
