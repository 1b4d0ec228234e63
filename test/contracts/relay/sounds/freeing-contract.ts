import assert from "node:assert/strict";
import type { FreeingSoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  collect,
  MIB,
  sampleBytes,
  store,
} from "./sample-sounds.ts";
import { type MakeSoundStore, one, onSoundStore, type SoundsCase, two } from "./sounds-case.ts";

const CASES: readonly SoundsCase<FreeingSoundStore>[] = [
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

/** What a sound store promises that frees room before it deletes, besides what every one does. */
export function freeingContract(make: MakeSoundStore<FreeingSoundStore>): readonly ContractCase[] {
  return onSoundStore(make, CASES);
}
