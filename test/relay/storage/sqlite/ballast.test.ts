import { readdirSync } from "node:fs";
import { readdir, readFile, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { FileBallast, releaseBallast } from "../../../../relay/storage/sqlite/ballast.ts";
import { temporaryFolder } from "./open-sqlite.ts";
import { soon } from "../../../sim/soon.ts";

const BYTES = 300_000;
const OPTIONS = { ballastBytes: BYTES, minFreeBytes: 0 };

/**
 * Returns the bytes that must stay free, so that this disk has this much room above them. Others use the disk, too.
 */
async function minFreeFor(folder: string, room: number): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize - room;
}

test("[Z7] the ballast takes its whole size, on a disk that compresses too", async () => {
  await using folder = await temporaryFolder();
  const ballast = new FileBallast(folder.path, OPTIONS);
  expect(await ballast.refill()).toBe(true);
  expect(await readdir(folder.path)).toEqual(["ballast"]);
  const bytes = await readFile(join(folder.path, "ballast"));
  expect(bytes.byteLength).toBe(BYTES);
  expect(gzipSync(bytes).byteLength).toBeGreaterThanOrEqual(BYTES);
  expect(await ballast.refill()).toBe(true);
  expect(await readFile(join(folder.path, "ballast"))).toEqual(bytes);
});

test("[Z7] a released ballast comes back, and only where there is twice its room above the minimum", async () => {
  await using folder = await temporaryFolder();
  const large = 2 * 1024 ** 3;
  const tight = {
    ballastBytes: large,
    minFreeBytes: await minFreeFor(folder.path, 1.5 * large),
  };
  expect(await new FileBallast(folder.path, tight).refill()).toBe(false);
  expect(await readdir(folder.path)).toEqual([]);

  const ballast = new FileBallast(folder.path, OPTIONS);
  let met = 0;
  const stop = ballast.watch(() => (met += 1));
  await ballast.refill();
  expect(releaseBallast(folder.path)).toBe(true);
  ballast.noteFull();
  expect(await readdir(folder.path)).toEqual([]);
  expect(releaseBallast(folder.path)).toBe(false);
  expect(await ballast.refill()).toBe(true);
  stop();
  ballast.noteFull();
  expect(met).toBe(1);
});

test("[Z7] a ballast that a crash left unfinished counts for nothing and doesn't stay", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "ballast.new"), "a part of it");
  expect(releaseBallast(folder.path)).toBe(false);
  expect(await readdir(folder.path)).toEqual([]);
  await writeFile(join(folder.path, "ballast.new"), "a part of it");
  expect(await new FileBallast(folder.path, OPTIONS).refill()).toBe(true);
  expect(await readdir(folder.path)).toEqual(["ballast"]);
});

test("[Z7] a ballast that is released while it is made isn't kept", async () => {
  await using folder = await temporaryFolder();
  const ballast = new FileBallast(folder.path, { ballastBytes: 8_000_000, minFreeBytes: 0 });
  const refilled = ballast.refill();
  await soon(() => readdirSync(folder.path)).toEqual(["ballast.new"]);
  releaseBallast(folder.path);
  ballast.noteFull();
  expect(await refilled).toBe(false);
  expect(await readdir(folder.path)).toEqual([]);
});

test("[Z7] another size of the setting replaces the ballast, and 0 removes it", async () => {
  await using folder = await temporaryFolder();
  await new FileBallast(folder.path, OPTIONS).refill();
  expect(await new FileBallast(folder.path, { ...OPTIONS, ballastBytes: 1000 }).refill()).toBe(
    true,
  );
  expect((await readFile(join(folder.path, "ballast"))).byteLength).toBe(1000);
  expect(await new FileBallast(folder.path, { ...OPTIONS, ballastBytes: 0 }).refill()).toBe(true);
  expect(await readdir(folder.path)).toEqual([]);
});
