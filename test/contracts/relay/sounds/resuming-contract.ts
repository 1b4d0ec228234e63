import assert from "node:assert/strict";
import type { ResumedSound, ResumingSoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase } from "../contract.ts";
import {
  assertAbsent,
  assertSame,
  assertWhole,
  collect,
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

const KEY = "pkg_1/snd_1";

const CASES: readonly SoundsCase<ResumingSoundStore>[] = [
  two("a suspended sound goes on where it ended, in every process", async (own, other) => {
    const bytes = sampleBytes(3 * MIB);
    for (const [index, resuming] of [own, other].entries()) {
      const key = `pkg_1/snd_${index}`;
      assert.equal(await suspendAt(own, key, bytes, MIB + 17), MIB + 17, "suspend lost bytes.");
      await finishRest(await resume(resuming, key), bytes);
      for (const sounds of [own, other]) await assertWhole(sounds, key, bytes);
    }
  }),

  one("[J1] what suspend answered survives a power cut, again and again", async (sounds, under) => {
    const bytes = sampleBytes(MIB);
    let promised = await suspendAt(sounds, KEY, bytes, 1000);
    for (let round = 0; round < 5; round += 1) {
      await under.powerCut();
      const resumed = await resume(await under.open(), KEY);
      assert.ok(resumed.storedBytes >= promised, "Fewer bytes are stored than suspend answered.");
      await assertStored(resumed, bytes);
      await write(resumed.writer, bytes.subarray(resumed.storedBytes, resumed.storedBytes + 1000));
      promised = await resumed.writer.suspend();
      assert.equal(promised, resumed.storedBytes + 1000, "suspend answers another number.");
    }
    await finishRest(await resume(await under.open(), KEY), bytes);
    await under.powerCut();
    await assertWhole(await under.open(), KEY, bytes);
  }),

  two("[J1] a suspended sound is not finished, and its key is in use", async (own, other) => {
    const bytes = sampleBytes(1000);
    await suspendAt(own, KEY, bytes, 1000);
    for (const sounds of [own, other]) {
      await assertAbsent(sounds, KEY, "isn't finished");
      await assert.rejects(start(sounds, KEY, bytes), `${KEY} is in use, and was used again.`);
    }
    await finishRest(await resume(other, KEY), bytes);
    await assertWhole(own, KEY, bytes);
  }),

  two("[J1] a suspended sound that is deleted is gone", async (own, other, under) => {
    await suspendAt(own, KEY, sampleBytes(1000), 500);
    await other.delete([KEY]);
    for (const sounds of [own, other]) assert.equal(await sounds.resume(KEY), undefined);
    await under.powerCut();
    assert.equal(await (await under.open()).resume(KEY), undefined, "It came back.");
  }),

  one("[U5] a resumed sound that is discarded leaves nothing", async (sounds) => {
    await suspendAt(sounds, KEY, sampleBytes(1000), 500);
    await (await resume(sounds, KEY)).writer.discard();
    assert.equal(await sounds.resume(KEY), undefined, "A discarded sound was resumed.");
    await assertAbsent(sounds, KEY, "was discarded");
  }),

  one("resumes nothing that is unknown, finished, discarded or being written", async (sounds) => {
    await store(sounds, "pkg_1/finished", 1000);
    await (await writeSample(sounds, "pkg_1/discarded", 1000)).writer.discard();
    const { writer, bytes } = await writeSample(sounds, "pkg_1/written", 1000);
    for (const key of ["unknown", "finished", "discarded", "written"]) {
      assert.equal(await sounds.resume(`pkg_1/${key}`), undefined, `A sound was resumed: ${key}.`);
    }
    await writer.finish();
    await assertWhole(sounds, "pkg_1/written", bytes);
  }),

  one("of many that resume a sound at once, one gets it", async (sounds) => {
    const bytes = sampleBytes(2000);
    await suspendAt(sounds, KEY, bytes, 700);
    const tries = await Promise.all(Array.from({ length: 10 }, () => sounds.resume(KEY)));
    const resumed = tries.filter((each) => each !== undefined);
    assert.equal(resumed.length, 1, `${resumed.length} of 10 writers got the same sound.`);
    for (const each of resumed) await finishRest(each, bytes);
    await assertWhole(sounds, KEY, bytes);
  }),
];

/** Makes the extra cases for a sound store whose sounds can be continued. */
export function resumingContract(
  make: MakeSoundStore<ResumingSoundStore>,
): readonly ContractCase[] {
  return onSoundStore(make, CASES);
}

/** Writes the first bytes of a sound and suspends it. Returns the store's answer. */
async function suspendAt(
  sounds: ResumingSoundStore,
  key: string,
  bytes: Uint8Array,
  count: number,
): Promise<number> {
  const writer = await start(sounds, key, bytes);
  await write(writer, bytes.subarray(0, count));
  return writer.suspend();
}

async function resume(sounds: ResumingSoundStore, key: string): Promise<ResumedSound> {
  const resumed = await sounds.resume(key);
  assert.ok(resumed, `${key} was suspended, but can't be resumed.`);
  return resumed;
}

async function assertStored(resumed: ResumedSound, bytes: Uint8Array): Promise<void> {
  const stored = (await collect(resumed.read())) ?? new Uint8Array();
  assertSame(stored, bytes.subarray(0, resumed.storedBytes), "What was stored of a sound");
}

async function finishRest(resumed: ResumedSound, bytes: Uint8Array): Promise<void> {
  await assertStored(resumed, bytes);
  await write(resumed.writer, bytes.subarray(resumed.storedBytes));
  await resumed.writer.finish();
}
