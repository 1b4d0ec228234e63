import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { keysOf } from "../../../contracts/relay/sounds/sounds-case.ts";
import type { DiskProcess } from "./disk-process.ts";
import { type Interruption, interruptEachCall } from "./interruption.ts";
import { PowerCutDisk } from "./power-cut-disk.ts";
import { announced, bytesOf, gather, readSound, storeSound, writeBytes } from "./stored-sounds.ts";

const KEY = "pkg_1/snd_1";
const BYTES = bytesOf(150_000);

/** The two kinds of disks: one that makes only flushed names durable, and one that makes all of them durable. */
const DISKS = ["flushed", "all"] as const;

test.each(DISKS)(
  "[J1] a finished sound is whole after a power cut, and an unfinished one is not found (%s)",
  async (survive) => {
    const cuts = await interruptEachCall(async (interruption) => {
      await using disk = await PowerCutDisk.create();
      const process = disk.process(interruption.before);
      const finish = async () =>
        storeSound(await DiskSoundStore.open(disk.path, process), KEY, BYTES.length);
      const isFinished = await succeeds(finish, process, interruption);
      await disk.powerCut(survive);
      const sounds = await DiskSoundStore.open(disk.path, disk.process());
      const found = await readSound(sounds, KEY);
      if (isFinished) expect(found).toBeDefined();
      if (!interruption.callsBefore.includes("rename")) expect(found).toBeUndefined();
      if (found !== undefined) expect(found.equals(BYTES)).toBe(true);

      await sounds.delete([KEY]);
      expect(await keysOf(sounds)).toEqual([]);
    });
    expect(cuts).toBeGreaterThan(10);
  },
);

test("[J1] the folders that a store creates around it are durable", async () => {
  await using disk = await PowerCutDisk.create();
  const folder = join(disk.path, "new", "data");
  const bytes = await storeSound(await DiskSoundStore.open(folder, disk.process()), KEY);
  await disk.powerCut();
  expect(await readSound(await DiskSoundStore.open(folder, disk.process()), KEY)).toEqual(bytes);
});

test("[J1] a finished sound survives a power cut while others beside it start, end and go", async () => {
  const cuts = await interruptEachCall(async (interruption) => {
    await using disk = await PowerCutDisk.create();
    const process = disk.process(interruption.before);
    const sounds = await DiskSoundStore.open(disk.path, process);
    await storeSound(sounds, KEY, BYTES.length);
    const others = async () => {
      await storeSound(sounds, "pkg_1/snd_2");
      await (await sounds.create("pkg_1/snd_3", announced(BYTES))).discard();
      await sounds.delete(["pkg_1/snd_2"]);
    };
    await succeeds(others, process, interruption);
    await disk.powerCut();
    const later = await DiskSoundStore.open(disk.path, disk.process());
    expect((await readSound(later, KEY))?.equals(BYTES)).toBe(true);
  });
  expect(cuts).toBeGreaterThan(20);
});

test.each(DISKS)(
  "[J1] a deleted sound doesn't come back after a power cut (%s)",
  async (survive) => {
    const gone = ["pkg_1/snd_1", "pkg_1/snd_2", "pkg_2/snd_3", "pkg_2/suspended"];
    const cuts = await interruptEachCall(async (interruption) => {
      await using disk = await PowerCutDisk.create();
      const process = disk.process(interruption.before);
      const sounds = await DiskSoundStore.open(disk.path, process);
      for (const key of gone.slice(0, 3)) await storeSound(sounds, key);
      const kept = await storeSound(sounds, "pkg_1/kept");
      await (await sounds.create("pkg_2/suspended", announced(BYTES))).suspend();
      const isDeleted = await succeeds(() => sounds.delete(gone), process, interruption);
      await disk.powerCut(survive);
      const later = await DiskSoundStore.open(disk.path, disk.process());
      expect(await readSound(later, "pkg_1/kept")).toEqual(kept);
      if (isDeleted) expect(await keysOf(later)).toEqual(["pkg_1/kept"]);
      for (const key of gone) expect((await readSound(later, key)) ?? kept).toEqual(kept);
    });
    expect(cuts).toBeGreaterThan(10);
  },
);

test("[J1] what a process deleted before it crashed doesn't come back once another one deletes it", async () => {
  const cuts = await interruptEachCall(async (interruption) => {
    await using disk = await PowerCutDisk.create();
    const process = disk.process(interruption.before);
    const sounds = await DiskSoundStore.open(disk.path, process);
    await storeSound(sounds, KEY);
    await storeSound(sounds, "pkg_2/snd_2");
    await storeSound(sounds, "pkg_2/kept");
    await succeeds(() => sounds.delete([KEY, "pkg_2/snd_2"]), process, interruption);
    const other = await DiskSoundStore.open(disk.path, disk.process());
    await other.delete([KEY, "pkg_2/snd_2"]);
    await disk.powerCut();
    const later = await DiskSoundStore.open(disk.path, disk.process());
    expect(await keysOf(later)).toEqual(["pkg_2/kept"]);
  });
  expect(cuts).toBeGreaterThan(5);
});

test.each(DISKS)(
  "[J1] a discarded sound leaves nothing after a power cut (%s)",
  async (survive) => {
    await using disk = await PowerCutDisk.create();
    const sounds = await DiskSoundStore.open(disk.path, disk.process());
    await (await sounds.create(KEY, announced(BYTES))).suspend();
    await (await sounds.resume(KEY))?.writer.discard();
    await disk.powerCut(survive);
    const later = await DiskSoundStore.open(disk.path, disk.process());
    expect(await keysOf(later)).toEqual([]);
  },
);

test.each(DISKS)("what suspend answered is there after a power cut (%s)", async (survive) => {
  const cuts = await interruptEachCall(async (interruption) => {
    await using disk = await PowerCutDisk.create();
    const process = disk.process(interruption.before);
    let promised = 0;
    const suspendTwice = async () => {
      const sounds = await DiskSoundStore.open(disk.path, process);
      const writer = await sounds.create(KEY, announced(BYTES));
      await writeBytes(writer, BYTES.subarray(0, 70_000));
      promised = await writer.suspend();
      const resumed = await sounds.resume(KEY);
      if (resumed === undefined) throw new Error("Nothing to resume.");
      await writeBytes(resumed.writer, BYTES.subarray(70_000, 100_000));
      promised = await resumed.writer.suspend();
    };
    await succeeds(suspendTwice, process, interruption);
    await disk.powerCut(survive);
    const later = await DiskSoundStore.open(disk.path, disk.process());
    expect(await readSound(later, KEY)).toBeUndefined();
    const resumed = await later.resume(KEY);
    const stored = Buffer.concat(resumed === undefined ? [] : await gather(resumed.read()));
    expect(stored.length).toBe(resumed?.storedBytes ?? 0);
    expect(stored.length).toBeGreaterThanOrEqual(promised);
    expect(stored.equals(BYTES.subarray(0, stored.length))).toBe(true);
    if (resumed === undefined) return;
    await writeBytes(resumed.writer, BYTES.subarray(stored.length));
    await resumed.writer.finish();
    expect((await readSound(later, KEY))?.equals(BYTES)).toBe(true);
  });
  expect(cuts).toBeGreaterThan(20);
});

test.each(DISKS)(
  "[Z4] no power cut loses a sound on its way into the quarantine or back (%s)",
  async (survive) => {
    const cuts = await interruptEachCall(async (interruption) => {
      await using disk = await PowerCutDisk.create();
      const process = disk.process(interruption.before);
      const sounds = await DiskSoundStore.open(disk.path, process);
      const bytes = await storeSound(sounds, KEY);
      const thereAndBack = async () => {
        await sounds.quarantine([KEY], 5);
        await sounds.quarantine([KEY], null);
      };
      await succeeds(thereAndBack, process, interruption);
      await disk.powerCut(survive);
      const later = await DiskSoundStore.open(disk.path, disk.process());
      await later.quarantine([KEY], null);
      expect(await readSound(later, KEY)).toEqual(bytes);
      await later.delete([KEY]);
      expect(await gather(later.listQuarantined())).toEqual([]);
    });
    expect(cuts).toBeGreaterThan(20);
  },
);

/** Checks whether an attempt is over before its process ends in front of one of its calls. */
async function succeeds(
  attempt: () => Promise<unknown>,
  process: DiskProcess,
  interruption: Interruption,
): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>();
  const end = async () => {
    await process.end();
    ended.resolve(false);
  };
  const finished = interruption.interrupt(attempt, end).then(() => true);
  return Promise.race([finished, ended.promise]);
}
