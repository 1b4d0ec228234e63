import { existsSync, readdirSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findGrantedFolder } from "../../../addon/extension/granted-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function folders() {
  const folder = await temporaryFolder();
  return {
    folder,
    storageDirectory: join(folder, "storage", "Soundferry"),
    tempDirectory: join(folder, "temp", "Soundferry"),
  };
}

test("[H9] the storage folder is made, and nothing of the trial stays in it", async () => {
  const { storageDirectory, tempDirectory } = await folders();
  expect(findGrantedFolder({ storageDirectory, tempDirectory })).toBe(storageDirectory);
  expect(readdirSync(storageDirectory)).toEqual([]);
  expect(existsSync(tempDirectory)).toBe(false);
});

test("[H9] uses the temporary folder if the storage folder is not writable or not named", async () => {
  const { folder, storageDirectory, tempDirectory } = await folders();
  await writeFile(join(folder, "storage"), "a file in its way");
  expect(findGrantedFolder({ storageDirectory, tempDirectory })).toBe(tempDirectory);
  expect(findGrantedFolder({ tempDirectory })).toBe(tempDirectory);
  expect(findGrantedFolder({ storageDirectory: "", tempDirectory })).toBe(tempDirectory);
});

test("[H9] detects an existing but read-only storage folder by writing", async () => {
  const { storageDirectory, tempDirectory } = await folders();
  // Root may write to any folder, so a folder with the probe's name blocks the write.
  await mkdir(join(storageDirectory, ".soundferry-can-write"), { recursive: true });
  expect(findGrantedFolder({ storageDirectory, tempDirectory })).toBe(tempDirectory);
});

test("[H9] without a folder that can be written to, a sentence says why", async () => {
  const { folder, storageDirectory } = await folders();
  await writeFile(join(folder, "storage"), "a file in its way");
  expect(() => findGrantedFolder({ storageDirectory })).toThrow(
    `Soundferry can't write to the folders that Live gives it: ${storageDirectory}: a part of its path is a file.`,
  );
  expect(() => findGrantedFolder({})).toThrow(
    "Soundferry can't write to the folders that Live gives it: Live named none.",
  );
});

test("[H9] a path that leads through a link, or has Windows' prefix, is given as it really is", async () => {
  const { folder, storageDirectory } = await folders();
  await mkdir(storageDirectory, { recursive: true });
  await symlink(join(folder, "storage"), join(folder, "link"));
  const linked = join(folder, "link", "Soundferry");
  expect(findGrantedFolder({ storageDirectory: linked })).toBe(storageDirectory);
  expect(findGrantedFolder({ storageDirectory: `\\\\?\\${storageDirectory}` })).toBe(
    storageDirectory,
  );
});
