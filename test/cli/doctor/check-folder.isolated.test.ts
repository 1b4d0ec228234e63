import { failCalls } from "../../sim/faulty-disk.ts";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KNOWN_FOLDERS_FILE, makeKnownFolder } from "../../../addon/disk/known-folders.ts";
import { checkFolder } from "../../../cli/doctor/check-folder.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

async function setUp() {
  const outside = await temporaryFolder();
  const folder = join(outside, "Sounds");
  const knownFolders = join(outside, KNOWN_FOLDERS_FILE);
  await makeKnownFolder(folder, knownFolders);
  const request = { check: "sounds", name: "The sounds folder", folder, knownFolders };
  const check = () => checkFolder({ ...request, variable: "SOUNDFERRY_SOUNDS", neededBytes: 1 });
  return { folder, check };
}

test("[Z13] a folder that can't be flushed is noted, also if only the sounds in it are on such a disk", async () => {
  const { folder, check } = await setUp();
  const said = (where: string) =>
    `${where} is on a file system that can't flush folders. What is saved there survives a kill, but perhaps not a power cut. To be sure, choose a folder on another disk.`;
  using _disk = failCalls({ call: "flush folder", code: "EINVAL" });
  expect(await check()).toEqual({ check: "sounds", state: "note", sentence: said(folder) });
  const sounds = join(folder, "sounds");
  await mkdir(sounds);
  using _other = failCalls({ call: "flush folder", code: "EINVAL", at: sounds });
  expect(await check()).toMatchObject({ state: "note", sentence: said(sounds) });
});

test("[F8] a read-only folder is wrong, in words", async () => {
  const { folder, check } = await setUp();
  using _disk = failCalls({ call: "write", code: "EROFS", at: folder });
  const sentence = `The sounds folder, ${folder}, can't be written to: the disk is read-only.`;
  expect(await check()).toMatchObject({ state: "wrong", sentence });
});

test("[F7] a folder on an unplugged drive is wrong, and isn't made", async () => {
  const { folder, check } = await setUp();
  expect(await check()).toMatchObject({ state: "ok" });
  await rm(folder, { recursive: true });
  expect(await check()).toEqual({
    check: "sounds",
    state: "wrong",
    sentence: `The drive with the sounds folder ${folder} isn't there. Plug it in, or choose another folder.`,
    advice: "Choose another folder with SOUNDFERRY_SOUNDS.",
  });
});
