import assert from "node:assert/strict";
import type { SoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import { DELETING_CASES } from "./deleting-cases.ts";
import { FINISHING_CASES } from "./finishing-cases.ts";
import { LISTING_CASES } from "./listing-cases.ts";
import { READING_CASES } from "./reading-cases.ts";
import {
  assertAbsent,
  assertWhole,
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

/** The cases that a key is used once (rule J1). */
const KEY_CASES: readonly SoundsCase[] = [
  two("[J1] the key of a finished sound is not used again", async (own, other, under) => {
    const bytes = await store(own, KEY, 1000);
    await assertInUse(own);
    await assertInUse(other);
    await assertWhole(other, KEY, bytes);
    await under.powerCut();
    const later = await under.open();
    await assertInUse(later);
    await assertWhole(later, KEY, bytes);
  }),

  two("[J1] the key of a sound that is being written is not used again", async (own, other) => {
    const bytes = sampleBytes(1000);
    const writer = await start(own, KEY, bytes);
    await assertInUse(own);
    await assertInUse(other);
    await write(writer, bytes);
    await assertInUse(own);
    await assertInUse(other);
    await writer.finish();
    await assertWhole(own, KEY, bytes);
    await assertWhole(other, KEY, bytes);
  }),

  two("[J1] of many that create one key at once, one gets it", async (own, other) => {
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, seed) => {
        const { writer, bytes } = await writeSample(seed % 2 === 0 ? own : other, KEY, 5000, seed);
        return { writer, bytes };
      }),
    );
    const created = tries.filter((each) => each.status === "fulfilled");
    assert.equal(created.length, 1, `${created.length} of 20 writers got the same key.`);
    for (const { value } of created) {
      await value.writer.finish();
      await assertWhole(own, KEY, value.bytes);
      await assertWhole(other, KEY, value.bytes);
    }
  }),

  one("a refused key leaves the sounds beside it alone", async (sounds) => {
    const bytes = await store(sounds, KEY, 1000);
    await assertInUse(sounds);
    const beside = await store(sounds, "pkg_1/snd_2", 1000, 2);
    await assertWhole(sounds, KEY, bytes);
    await assertWhole(sounds, "pkg_1/snd_2", beside);
    await sounds.delete([KEY]);
    await assertAbsent(sounds, KEY, "was deleted");
  }),
];

async function assertInUse(sounds: SoundStore): Promise<void> {
  await assert.rejects(
    start(sounds, KEY, sampleBytes(10, 9)),
    `${KEY} is in use, and was used again.`,
  );
}

/**
 * Makes the cases for every `SoundStore`, with one instance and with two on one store, and after power cuts. A store
 * that resumes, quarantines or is bound proves that with `resumingContract`, `quarantineContract` and `boundContract`.
 */
export function soundStoreContract(make: MakeSoundStore): readonly ContractCase[] {
  return onSoundStore(make, [
    ...READING_CASES,
    ...LISTING_CASES,
    ...FINISHING_CASES,
    ...KEY_CASES,
    ...DELETING_CASES,
  ]);
}
