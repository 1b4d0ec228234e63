import { readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StoreFullError } from "../../../../relay/domain/ports.ts";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { NODE_FILES, type SoundFiles } from "../../../../relay/storage/disk/sound-files.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";
import { announced, bytesOf, readSound, storeSound, writeBytes } from "./stored-sounds.ts";

const KEY = "pkg_1/snd_1";
const BYTES = bytesOf(3_000_000);

describe("room", () => {
  test("is what an ordinary user may still write", async () => {
    await using folder = await temporaryFolder();
    const { bavail, bsize } = await statfs(folder.path);
    const room = await (await DiskSoundStore.open(folder.path)).room();
    // Others write to this disk too.
    expect(Math.abs(Number(room) - bavail * bsize)).toBeLessThan(1024 ** 3);
  });

  test("is unknown where the file system reports no size", async () => {
    await using folder = await temporaryFolder();
    const statfs = async () => ({ bavail: 0, blocks: 0, bsize: 4096 });
    const sounds = await DiskSoundStore.open(folder.path, { ...NODE_FILES, statfs });
    expect(await sounds.room()).toBe("unknown");
  });
});

test("[Z4] sounds on a disk of their own can be quarantined, and put back", async () => {
  await using folder = await temporaryFolder();
  const own = join(folder.path, "sounds");
  const rename: SoundFiles["rename"] = async (from, to) => {
    if (from.startsWith(own) !== to.startsWith(own)) throw new Error("EXDEV");
    await NODE_FILES.rename(from, to);
  };
  const sounds = await DiskSoundStore.open(folder.path, { ...NODE_FILES, rename });
  const bytes = await storeSound(sounds, KEY);
  await sounds.quarantine([KEY], 5);
  expect(await readSound(sounds, KEY)).toBeUndefined();
  await sounds.quarantine([KEY], null);
  expect(await readSound(sounds, KEY)).toEqual(bytes);
  await sounds.tidy();
  expect(await readdir(own)).toEqual(["pkg_1"]);
});

describe("failing disks", () => {
  test("a writer that failed and is discarded late doesn't free the key of the one that resumed it", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path, failingFirstRename("EIO"));
    const failed = await sounds.create(KEY, announced(BYTES));
    await expect(failed.finish()).rejects.toMatchObject({ code: "EIO" });
    const resumed = await sounds.resume(KEY);
    await failed.discard();
    await expect(sounds.create(KEY, announced(BYTES))).rejects.toThrow("in use");
    await expect(resumed?.writer.finish()).rejects.toThrow("deleted while it was written");
  });

  test("[U6] a disk that is full when a sound ends is named as full, and the sound can go on", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path, failingFirstRename("ENOSPC"));
    const writer = await sounds.create(KEY, announced(BYTES));
    await writeBytes(writer, BYTES);
    await expect(writer.finish()).rejects.toBeInstanceOf(StoreFullError);
    expect(await sounds.sizes([KEY])).toEqual(new Map());
    await (await sounds.resume(KEY))?.writer.finish();
    expect((await readSound(sounds, KEY))?.equals(BYTES)).toBe(true);
  });

  test("[J1] a sound whose name can't be made durable is not found", async () => {
    await using folder = await temporaryFolder();
    let isBroken = false;
    const open: typeof NODE_FILES.open = async (path, flags, mode) => {
      if (isBroken && flags === undefined) throw Object.assign(new Error("EIO"), { code: "EIO" });
      return NODE_FILES.open(path, flags, mode);
    };
    const sounds = await DiskSoundStore.open(folder.path, { ...NODE_FILES, open });
    const writer = await sounds.create(KEY, announced(BYTES));
    isBroken = true;
    await expect(writer.finish()).rejects.toMatchObject({ code: "EIO" });
    isBroken = false;
    expect(await sounds.sizes([KEY])).toEqual(new Map());
    await writer.discard();
    expect(await readdir(join(folder.path, "sounds"))).toEqual([]);
  });
});

/** This computer's files, on which the first rename fails with a code. */
function failingFirstRename(code: string): SoundFiles {
  let hasFailed = false;
  const rename = async (from: string, to: string): Promise<void> => {
    if (hasFailed) return NODE_FILES.rename(from, to);
    hasFailed = true;
    throw Object.assign(new Error(code), { code });
  };
  return { ...NODE_FILES, rename };
}
