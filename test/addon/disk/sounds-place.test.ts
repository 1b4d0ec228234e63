import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeSoundsFolder,
  examineLibrary,
  usualSoundsFolder,
} from "../../../addon/disk/sounds-place.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Makes a User Library in a folder below the home folder. */
async function libraryIn(...inside: readonly string[]) {
  const home = await temporaryFolder();
  const library = join(home, ...inside, "User Library");
  await mkdir(library, { recursive: true });
  return { home, library };
}

test("[F9] a User Library takes sounds; looking leaves nothing in it", async () => {
  const { library } = await libraryIn("Music", "Ableton");
  expect(await examineLibrary(library, [])).toEqual({ path: library, trouble: null });
  expect(await readdir(library)).toEqual([]);
});

test("[F9] one in a cloud doesn't, also behind a link, or where the system names the cloud", async () => {
  const { home, library } = await libraryIn("OneDrive", "Documents");
  expect(await examineLibrary(library, [])).toEqual({ path: library, trouble: "cloud" });
  const link = join(home, "Library");
  await symlink(library, link);
  expect(await examineLibrary(link, [])).toEqual({ path: link, trouble: "cloud" });
  const { home: root, library: named } = await libraryIn("Sync");
  expect(await examineLibrary(named, [join(root, "Sync")])).toMatchObject({ trouble: "cloud" });
});

test("[F9] one that can't be written to doesn't", async () => {
  const { library } = await libraryIn("Music");
  await writeFile(join(library, "Samples"), "a file in the folder's place");
  expect(await examineLibrary(library, [])).toEqual({ path: library, trouble: "not-writable" });
});

test("[F9] the panel's path begins with ~ and has the reason only where nobody chose another folder", async () => {
  const { home, library: path } = await libraryIn("Music");
  const usual = usualSoundsFolder(home);
  const place = (soundsFolder: string, because: "cloud" | null, soundsFixedBecause = null) =>
    describeSoundsFolder(
      { soundsFolder, soundsFixedBecause, library: { path, trouble: because } },
      home,
    );
  const shown = { isInLibrary: false, because: null, fixedBecause: null };
  expect(place(usual, "cloud")).toEqual({
    ...shown,
    path: join("~", "Music", "Soundferry"),
    because: "cloud",
  });
  expect(place(usual, null)).toMatchObject({ because: null });
  expect(place(join(home, "Loops"), "cloud")).toEqual({ ...shown, path: join("~", "Loops") });
  expect(place(`${home}-other`, null)).toEqual({ ...shown, path: `${home}-other` });
  await symlink(path, join(home, "Link"));
  for (const library of [path, join(home, "Link")]) {
    expect(place(join(library, "Samples", "Soundferry"), "cloud")).toMatchObject({
      isInLibrary: true,
      because: null,
    });
    expect(place(join(library, "Samples"), null)).toMatchObject({ isInLibrary: false });
  }
  const fixed = { soundsFolder: usual, soundsFixedBecause: "It is set.", library: undefined };
  expect(describeSoundsFolder(fixed, home)).toMatchObject({ fixedBecause: "It is set." });
});
