import assert from "node:assert/strict";
import type { BoundSoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import {
  keysOf,
  type MakeSoundStore,
  one,
  onSoundStore,
  type SoundsCase,
  store,
  two,
} from "./sounds-case.ts";

const CASES: readonly SoundsCase<BoundSoundStore>[] = [
  one("[Z1] belongs to no instance and holds nothing at the start", async (sounds) => {
    assert.equal(await sounds.readInstance(), undefined);
    assert.deepEqual(await keysOf(sounds), []);
  }),

  two("[Z1] remembers the last instance that it was given, everywhere", async (own, other) => {
    await own.keepInstance("ins_one");
    for (const sounds of [own, other]) assert.equal(await sounds.readInstance(), "ins_one");
    await other.keepInstance("ins_other");
    for (const sounds of [own, other]) assert.equal(await sounds.readInstance(), "ins_other");
    assert.deepEqual(await keysOf(own), [], "The id counts as a sound.");
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

  one("[Z1] its id never passes for a sound, and outlives every sound", async (sounds) => {
    await sounds.keepInstance("ins_one");
    await store(sounds, "pkg_1/snd_1", 10);
    assert.deepEqual(await keysOf(sounds), ["pkg_1/snd_1"]);
    await sounds.delete(["pkg_1/snd_1"]);
    assert.equal(await sounds.readInstance(), "ins_one");
  }),
];

/** Makes the extra cases for a sound store that remembers its instance. */
export function boundContract(make: MakeSoundStore<BoundSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, CASES);
}
