import { mkdir, readdir, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { gather, soundStoreContract, store } from "../../../contract/sound-store-contract.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";

soundStoreContract("disk", async () => {
  const folder = await temporaryFolder();
  return {
    store: await DiskSoundStore.open(folder.path),
    reopen: () => DiskSoundStore.open(folder.path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

describe("on disk", () => {
  test("sounds are readable by the relay's user alone", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await store(sounds, "pkg_1/snd_1", 10);
    const mode = async (path: string) => (await stat(join(folder.path, path))).mode & 0o777;
    expect(await mode("sounds")).toBe(0o700);
    expect(await mode("sounds/pkg_1")).toBe(0o700);
    expect(await mode("sounds/pkg_1/snd_1")).toBe(0o600);
  });

  test("a package's folder is removed with its last sound", async () => {
    await using folder = await temporaryFolder();
    const sounds = await DiskSoundStore.open(folder.path);
    await store(sounds, "pkg_1/snd_1", 10);
    await store(sounds, "pkg_1/snd_2", 10);
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
        await (await sounds.create(`pkg_1/snd_${worker}_${round}`)).discard();
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
    expect(await gather(sounds.keys())).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "a reader that stops early, or never starts, leaves no file open",
    async () => {
      await using folder = await temporaryFolder();
      const sounds = await DiskSoundStore.open(folder.path);
      const bytes = await store(sounds, "pkg_1/snd_1", 3_000_000);
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
    await store(sounds, "pkg_1/snd_1", 5_000_000);
    for await (const piece of (await sounds.open("pkg_1/snd_1", { start: 0, end: 4_999_999 })) ??
      []) {
      expect(piece.byteLength).toBeLessThanOrEqual(1024 * 1024);
    }
  });
});

/** Paths of this process's open files in a folder. */
async function openFiles(folder: string): Promise<string[]> {
  const paths = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return paths.filter((path) => path.startsWith(folder));
}
