import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeChosenFolder } from "../../../addon/disk/check-sounds-folder.ts";
import { KNOWN_FOLDERS_FILE } from "../../../addon/disk/known-folders.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setUp() {
  const home = await temporaryFolder();
  const data = join(home, "data");
  const inbox = join(home, "inbox");
  for (const folder of [data, inbox]) await mkdir(folder);
  const knownFolders = join(data, KNOWN_FOLDERS_FILE);
  const choose = (text: string, neededBytes?: number) =>
    makeChosenFolder(text, { home, otherFolders: [data, inbox], knownFolders, neededBytes });
  return { home, data, inbox, choose };
}

test("[F9] a chosen folder is made, by its path from the disk or from ~ on, also in quotes", async () => {
  const { home, choose } = await setUp();
  const absolute = join(home, "Music", "Loops");
  expect(await choose(absolute)).toBe(absolute);
  expect(await readdir(absolute)).toEqual([".soundferry-sounds"]);
  expect(await choose("~/Beats")).toBe(join(home, "Beats"));
  expect(await choose(` "${join(home, "Quoted")}" `)).toBe(join(home, "Quoted"));
});

test.each(["", "Loops", "./Loops", "~mia/Loops", "/Loops\0"])(
  "[F9] %j is no whole path",
  async (text) => {
    const { choose } = await setUp();
    await expect(choose(text)).rejects.toThrow(
      "Enter the folder's whole path, from the disk or from ~ on.",
    );
  },
);

test("[F9] beside other things, sounds go into a folder of their own; chosen again, it is the same", async () => {
  const { home, choose } = await setUp();
  const music = join(home, "Music");
  await mkdir(join(music, "Mine"), { recursive: true });
  const own = join(music, "Soundferry");
  expect(await choose(music)).toBe(own);
  await writeFile(join(own, "Kick.wav"), "sound");
  expect(await choose(music)).toBe(own);
  expect(await choose(own)).toBe(own);
  const empty = join(home, "Empty");
  await mkdir(empty);
  await writeFile(join(empty, ".DS_Store"), "");
  expect(await choose(empty)).toBe(empty);
  await writeFile(join(empty, "Snare.wav"), "sound");
  expect(await choose(empty)).toBe(empty);
});

test("[F9] no sounds go into the data folder or an inbox of its own, also through a link", async () => {
  const { home, data, inbox, choose } = await setUp();
  await symlink(data, join(home, "link"));
  for (const text of [data, join(data, "sounds"), inbox, join(home, "link", "new")]) {
    await expect(choose(text)).rejects.toThrow("for something else. Choose another folder");
  }
  expect(await readdir(data)).toEqual([]);
});

test("[F9][F8] a file, and a folder below one, is refused", async () => {
  const { home, choose } = await setUp();
  const file = join(home, "file");
  await writeFile(file, "");
  await expect(choose(file)).rejects.toThrow(`${file} isn't a folder.`);
  await expect(choose(join(file, "Loops"))).rejects.toThrow(`${file} isn't a folder.`);
});

test("[F9] a folder without room for the largest package is refused, and isn't made", async () => {
  const { home, choose } = await setUp();
  await expect(choose("~/Loops", Number.MAX_SAFE_INTEGER)).rejects.toThrow(
    "is nearly full: a package may need 200 MB. Free some space, or choose a folder on another disk.",
  );
  expect(await readdir(home)).toEqual(["data", "inbox"]);
});

test("[F9][F7] a folder on an unplugged drive can't be chosen again until it is back", async () => {
  const { home, choose } = await setUp();
  const drive = join(home, "Drive");
  const folder = await choose(join(drive, "Loops"));
  await rename(drive, join(home, "Unplugged"));
  await expect(choose(folder)).rejects.toThrow(
    `The drive with the sounds folder ${folder} isn't there. Plug it in, or choose another folder.`,
  );
  await rename(join(home, "Unplugged"), drive);
  expect(await choose(folder)).toBe(folder);
});
