import assert from "node:assert/strict";
import type {
  BoundSoundStore,
  FreeingSoundStore,
  ListingSoundStore,
} from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  collect,
  gather,
  type MakeSoundStore,
  MIB,
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

const BOUND_CASES: readonly SoundsCase<BoundSoundStore>[] = [
  one("[Z1] belongs to no instance and holds nothing at the start", async (sounds) => {
    assert.equal(await sounds.readInstance(), undefined);
    assert.equal(await sounds.holdsSounds(), false);
  }),

  two("[Z1] remembers the last instance that it was given, everywhere", async (own, other) => {
    await own.keepInstance("ins_one");
    for (const sounds of [own, other]) assert.equal(await sounds.readInstance(), "ins_one");
    await other.keepInstance("ins_other");
    for (const sounds of [own, other]) assert.equal(await sounds.readInstance(), "ins_other");
    assert.equal(await own.holdsSounds(), false, "The id counts as a sound.");
  }),

  one("[Z1] an instance that was kept survives a power cut", async (sounds, under) => {
    await sounds.keepInstance("ins_one");
    await sounds.keepInstance("ins_two");
    await under.powerCut();
    const later = await under.open();
    assert.equal(await later.readInstance(), "ins_two");
    await later.keepInstance("ins_three");
    await under.powerCut();
    assert.equal(await (await under.open()).readInstance(), "ins_three");
  }),

  two("[Z1] tells whether it holds a sound, finished or not", async (own, other) => {
    await own.keepInstance("ins_one");
    const writer = await start(own, "pkg_1/snd_1", sampleBytes(10));
    for (const sounds of [own, other]) assert.equal(await sounds.holdsSounds(), true);
    await writer.discard();
    for (const sounds of [own, other]) assert.equal(await sounds.holdsSounds(), false);
    await store(own, "pkg_1/snd_2", 10);
    for (const sounds of [own, other]) assert.equal(await sounds.holdsSounds(), true);
    await other.delete(["pkg_1/snd_2"]);
    for (const sounds of [own, other]) assert.equal(await sounds.holdsSounds(), false);
  }),

  one("[Z1] its id never passes for a sound, and outlives every sound", async (sounds) => {
    await sounds.keepInstance("ins_one");
    await store(sounds, "pkg_1/snd_1", 10);
    if ("list" in sounds && typeof sounds.list === "function") {
      assert.equal((await gather(sounds.list())).length, 1);
    }
    await sounds.delete(["pkg_1/snd_1"]);
    assert.equal(await sounds.readInstance(), "ins_one");
  }),
];

/** Makes the extra cases for a sound store that remembers its instance. */
export function boundContract(make: MakeSoundStore<BoundSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, BOUND_CASES);
}

const FREEING_CASES: readonly SoundsCase<FreeingSoundStore>[] = [
  two("[Z3] nobody finds what was freed; missing keys are ignored", async (own, other) => {
    await store(own, "pkg_1/snd_1", 10);
    const kept = await store(own, "pkg_1/snd_2", 10);
    await own.free(["pkg_1/snd_1", "pkg_1/snd_3", "pkg_9/snd_1"]);
    await own.free([]);
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
    await sounds.free(keys);
    await sounds.delete(keys);
    await under.powerCut();
    const later = await under.open();
    for (const key of keys) await assertAbsent(later, key, "was deleted before the power cut");
    await assertWhole(later, "pkg_1/kept", kept);
  }),

  one("[Z3] free tries every key even after one fails, and then rejects", async (sounds) => {
    const keys = ["pkg_1/snd_1", "pkg_2/snd_2"];
    for (const key of keys) await store(sounds, key, 10);
    await assert.rejects(sounds.free(["../first", ...keys, "../last"]), "It is passed over.");
    for (const key of keys) await assertAbsent(sounds, key, "was freed along with a broken key");
  }),

  two("freeing never interrupts a running read", async (own, other) => {
    const bytes = sampleBytes(3 * MIB);
    await store(own, "pkg_1/snd_1", bytes.length);
    const pieces = await other.open("pkg_1/snd_1", { start: 0, end: bytes.length - 1 });
    await own.free(["pkg_1/snd_1"]);
    assertSame((await collect(pieces)) ?? new Uint8Array(), bytes, "What was freed");
  }),
];

/** Makes the extra cases for a sound store that frees room before it deletes. */
export function freeingContract(make: MakeSoundStore<FreeingSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, FREEING_CASES);
}

const LISTING_CASES: readonly SoundsCase<ListingSoundStore>[] = [
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
];

/** Makes the extra cases for a sound store that lists its sounds. */
export function listingContract(make: MakeSoundStore<ListingSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, LISTING_CASES);
}

async function keysOf(sounds: ListingSoundStore): Promise<string[]> {
  return (await gather(sounds.keys())).toSorted();
}
