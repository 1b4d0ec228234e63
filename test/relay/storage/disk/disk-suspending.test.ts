import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";
import { openFiles } from "./open-files.ts";
import { PowerCutDisk } from "./power-cut-disk.ts";
import { announced, bytesOf, gather, readSound, writeBytes } from "./stored-sounds.ts";

const KEY = "pkg_1/snd_1";
const BYTES = bytesOf(3_000_000);
const NOTHING = announced(new Uint8Array());

describe("suspending", () => {
  test("a sound goes on where it was, across any number of writers", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    let storedBytes = await (await sounds.create(KEY, announced(BYTES))).suspend();
    expect(storedBytes).toBe(0);
    for (const step of [1, 70_000, 0, 1_500_000]) {
      const resumed = await sounds.resume(KEY);
      expect(resumed?.storedBytes).toBe(storedBytes);
      const stored = Buffer.concat(await gather(resumed?.read() ?? none()));
      expect(stored.equals(BYTES.subarray(0, storedBytes))).toBe(true);
      if (resumed === undefined) break;
      await writeBytes(resumed.writer, BYTES.subarray(storedBytes, storedBytes + step));
      expect(await resumed.writer.suspend()).toBe(storedBytes + step);
      // What was written since doesn't belong to it.
      expect(Buffer.concat(await gather(resumed.read()))).toHaveLength(storedBytes);
      expect(await sounds.sizes([KEY])).toEqual(new Map());
      storedBytes += step;
    }
    const last = await DiskSoundStore.open(folder.path).then((store) => store.resume(KEY));
    if (last !== undefined) await writeBytes(last.writer, BYTES.subarray(storedBytes));
    await last?.writer.finish();
    expect((await readSound(sounds, KEY))?.equals(BYTES)).toBe(true);
  });

  test("a sound whose writer's process ended can be resumed; one without bytes can't", async () => {
    await using disk = await PowerCutDisk.create();
    const crashing = disk.process();
    const sounds = await DiskSoundStore.open(disk.path, crashing);
    await writeBytes(await sounds.create(KEY, announced(BYTES)), BYTES);
    await crashing.end();
    const later = await DiskSoundStore.open(disk.path, disk.process());
    const resumed = await later.resume(KEY);
    const stored = Buffer.concat(await gather(resumed?.read() ?? none()));
    expect(stored.length).toBe(resumed?.storedBytes);
    expect(stored.equals(BYTES.subarray(0, stored.length))).toBe(true);
    expect(await later.resume("pkg_1/snd_2")).toBeUndefined();
    expect(await later.resume("pkg_2/snd_1")).toBeUndefined();
  });

  test.skipIf(process.platform !== "linux")("no ending leaves a file open", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const start = (key: string) => sounds.create(key, NOTHING);
    await (await start("pkg_1/finished")).finish();
    await (await start("pkg_1/discarded")).discard();
    await (await start("pkg_1/suspended")).suspend();
    const deleted = await start("pkg_1/deleted");
    await sounds.delete(["pkg_1/deleted"]);
    await expect(deleted.finish()).rejects.toThrow("pkg_1/deleted was deleted");
    await deleted.discard();
    await expect(start("pkg_1/finished")).rejects.toThrow("in use");
    const resumed = await sounds.resume("pkg_1/suspended");
    for await (const _ of resumed?.read() ?? none()) break;
    await resumed?.writer.discard();
    expect(await openFiles(folder.path)).toEqual([]);
  });
});

async function* none(): AsyncGenerator<Uint8Array> {}
