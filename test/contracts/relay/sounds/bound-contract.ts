import assert from "node:assert/strict";
import type { BoundSoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import { gather, sampleBytes, start, store } from "./sample-sounds.ts";
import { type MakeSoundStore, one, onSoundStore, type SoundsCase, two } from "./sounds-case.ts";

const CASES: readonly SoundsCase<BoundSoundStore>[] = [
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

/** What a sound store promises that remembers its instance, besides what every one does. */
export function boundContract(make: MakeSoundStore<BoundSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, CASES);
}
