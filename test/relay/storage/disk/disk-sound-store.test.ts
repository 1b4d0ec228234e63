import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { keysOf } from "../../../contracts/relay/sounds/sounds-case.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";
import { openFiles } from "./open-files.ts";
import { PowerCutDisk } from "./power-cut-disk.ts";
import { announced, bytesOf, readSound, storeSound, writeBytes } from "./stored-sounds.ts";

const KEY = "pkg_1/snd_1";
const BYTES = bytesOf(3_000_000);
const NOTHING = announced(new Uint8Array());

describe("files", () => {
  test("sounds are readable by the relay's user alone", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await storeSound(sounds, "pkg_1/snd_1", 10);
    const mode = async (path: string) => (await stat(join(folder.path, path))).mode & 0o777;
    expect(await mode("sounds")).toBe(0o700);
    expect(await mode("sounds/pkg_1")).toBe(0o700);
    expect(await mode("sounds/pkg_1/snd_1")).toBe(0o600);
  });

  test("a package's folder is removed with its last sound", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await storeSound(sounds, "pkg_1/snd_1", 10);
    await storeSound(sounds, "pkg_1/snd_2", 10);
    await sounds.delete(["pkg_1/snd_1"]);
    expect(await readdir(join(folder.path, "sounds"))).toEqual(["pkg_1"]);
    await sounds.delete(["pkg_1/snd_2"]);
    expect(await readdir(join(folder.path, "sounds"))).toEqual([]);
  });

  test("[U5] a sound that starts while the last one beside it is discarded finds its folder", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const startAndDiscard = async (worker: number): Promise<void> => {
      for (let round = 0; round < 50; round += 1) {
        await (await sounds.create(`pkg_1/snd_${worker}_${round}`, NOTHING)).discard();
      }
    };
    await Promise.all([1, 2, 3, 4].map(startAndDiscard));
    expect(await readdir(join(folder.path, "sounds"))).toEqual([]);
  });

  test("files that are not sounds are left alone", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await mkdir(join(folder.path, "sounds", "pkg_1"));
    await writeFile(join(folder.path, "sounds", ".DS_Store"), "");
    await writeFile(join(folder.path, "sounds", "pkg_1", ".DS_Store"), "");
    expect(await keysOf(sounds)).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "a reader that stops early, or never starts, leaves no file open",
    async () => {
      await using folder = await temporaryFolder();
      const sounds = await DiskSoundStore.open(folder.path);
      const bytes = await storeSound(sounds, "pkg_1/snd_1", 3_000_000);
      const open = () => sounds.open("pkg_1/snd_1", { start: 0, end: bytes.length - 1 });

      const neverStarted = await open();
      expect(await openFiles(folder.path)).toHaveLength(1);
      await neverStarted?.[Symbol.asyncIterator]().return?.();
      for await (const piece of (await open()) ?? []) {
        expect(piece.byteLength).toBeGreaterThan(0);
        break;
      }
      for await (const piece of (await open()) ?? []) expect(piece.byteLength).toBeGreaterThan(0);
      expect(await openFiles(folder.path)).toEqual([]);
    },
  );

  test("reading holds pieces in memory, not the whole sound", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await storeSound(sounds, "pkg_1/snd_1", 5_000_000);
    for await (const piece of (await sounds.open("pkg_1/snd_1", { start: 0, end: 4_999_999 })) ??
      []) {
      expect(piece.byteLength).toBeLessThanOrEqual(1024 * 1024);
    }
  });
});

describe("keys", () => {
  test("[J1] a key that is in use is refused, whatever its state, and keeps what it has", async () => {
    await using folder = await temporaryFolder();
    const [own, other] = [
      await DiskSoundStore.open(folder.path),
      await DiskSoundStore.open(folder.path),
    ];
    const inUse = { message: `${KEY} is in use.` };
    const writer = await own.create(KEY, announced(BYTES));
    for (const store of [own, other]) {
      await expect(store.create(KEY, NOTHING)).rejects.toMatchObject(inUse);
      expect(await store.resume(KEY)).toBeUndefined();
    }
    await writeBytes(writer, BYTES.subarray(0, 100_000));
    await writer.suspend();
    for (const store of [own, other]) {
      await expect(store.create(KEY, NOTHING)).rejects.toMatchObject(inUse);
    }
    const resumed = await other.resume(KEY);
    for (const store of [own, other]) expect(await store.resume(KEY)).toBeUndefined();
    await writeBytes(resumed?.writer ?? writer, BYTES.subarray(100_000));
    await resumed?.writer.finish();
    for (const store of [own, other]) {
      await expect(store.create(KEY, NOTHING)).rejects.toMatchObject(inUse);
      expect(await store.resume(KEY)).toBeUndefined();
      expect((await readSound(store, KEY))?.equals(BYTES)).toBe(true);
    }
    expect(await readdir(join(folder.path, "sounds", "pkg_1"))).toEqual(["snd_1"]);
  });

  test("finds those of many sounds that are finished", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const keys = Array.from({ length: 50 }, (_, index) => `pkg_${index % 7}/snd_${index}`);
    const finished = keys.filter((_, index) => index % 3 === 0);
    await Promise.all(finished.map((key) => storeSound(sounds, key)));
    const writer = await sounds.create("pkg_1/snd_1", NOTHING);
    expect([...(await sounds.sizes(keys)).keys()].toSorted()).toEqual(finished.toSorted());
    await writer.discard();
    expect(await sounds.sizes([])).toEqual(new Map());
    await expect(sounds.sizes([...keys, "../snd_1"])).rejects.toThrow("Not a key");
  });

  test("lists each sound once, without what marks an unfinished one", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await storeSound(sounds, KEY);
    await writeFile(join(folder.path, "sounds", `${KEY}.part`), "left by a crash");
    const writer = await sounds.create("pkg_2/snd_2", NOTHING);
    expect(await keysOf(sounds)).toEqual([KEY, "pkg_2/snd_2"]);
    await writer.discard();
  });

  test("listing goes on when a package is removed meanwhile", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const keys = Array.from({ length: 20 }, (_, index) => `pkg_${index}/snd_1`);
    for (const key of keys) await storeSound(sounds, key);
    const listed: string[] = [];
    for await (const { key } of sounds.list()) {
      if (listed.push(key) === 1) await sounds.delete(keys);
    }
    expect(listed).toHaveLength(1);
  });

  test("a file that a crash left beside the finished sound is neither resumed nor kept", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const bytes = await storeSound(sounds, KEY);
    await writeFile(join(folder.path, "sounds", `${KEY}.part`), "left by a crash");
    expect(await sounds.resume(KEY)).toBeUndefined();
    expect(await readSound(sounds, KEY)).toEqual(bytes);
    await sounds.delete([KEY]);
    expect(await readdir(join(folder.path, "sounds"))).toEqual([]);
  });
});

describe("deleting", () => {
  test("[J1] every key is tried even after some fail, and the call rejects with all errors", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    const keys = Array.from({ length: 30 }, (_, index) => `pkg_${index % 4}/snd_${index}`);
    for (const key of keys) await storeSound(sounds, key);
    // A folder in a sound's place can't be unlinked.
    await mkdir(join(folder.path, "sounds", "pkg_1", "folder"));
    const wrong = ["../a", ...keys.slice(0, 15), "pkg_1/folder", ...keys.slice(15)];
    await expect(sounds.delete(wrong)).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining("../a") }, { syscall: "unlink" }],
    });
    expect(await keysOf(sounds)).toEqual(["pkg_1/folder"]);
    await expect(sounds.delete(["pkg_1/folder"])).rejects.toMatchObject({ syscall: "unlink" });
  });

  test("the names of a whole batch are flushed once per folder", async () => {
    await using disk = await PowerCutDisk.create();
    const calls: string[] = [];
    const process = disk.process((call) => void calls.push(call));
    const sounds = await DiskSoundStore.open(disk.path, process);
    const keys = Array.from({ length: 40 }, (_, index) => `pkg_${index % 3}/snd_${index}`);
    for (const key of keys) await storeSound(sounds, key);
    await storeSound(sounds, "pkg_1/kept");
    calls.length = 0;
    await sounds.delete(keys);
    expect(calls.filter((call) => call === "sync")).toHaveLength(2);
  });

  test("[Z3] a thousand expired packages take two calls for each, and one flush", async () => {
    await using disk = await PowerCutDisk.create();
    const calls: string[] = [];
    const process = disk.process((call) => void calls.push(call));
    const sounds = await DiskSoundStore.open(disk.path, process);
    const keys = Array.from({ length: 1000 }, (_, index) => `pkg_${index}/snd_1`);
    for (const key of keys) await storeSound(sounds, key);
    calls.length = 0;
    await sounds.delete(keys, { mayReturn: true });
    await sounds.delete(keys);
    const counts = Object.fromEntries(
      [...Map.groupBy(calls, (call) => call)].map(([call, all]) => [call, all.length]),
    );
    // The quarantine is looked into before and after.
    expect(counts).toEqual({
      unlink: 1000,
      rmdir: 1000,
      "open r": 1,
      sync: 1,
      close: 1,
      readdir: 2,
    });
    expect(await readdir(join(disk.path, "sounds"))).toEqual([]);
  });
});

test.each(["9".repeat(16), "-1", "1e3", "x"])(
  "[Z4] a folder in the quarantine that is named %s is nobody's",
  async (name) => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await mkdir(join(folder.path, "quarantine", name, "pkg_1"), { recursive: true });
    await writeFile(join(folder.path, "quarantine", name, KEY), "bytes");
    for await (const { key } of sounds.listQuarantined()) expect.fail(key);
  },
);
