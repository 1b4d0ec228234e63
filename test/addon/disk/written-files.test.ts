import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readMarker } from "../../../addon/disk/folder-marker.ts";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import {
  projectNameIn,
  readSavedSounds,
  removeAboutPackage,
  writeAboutPackage,
} from "../../../addon/disk/written-files.ts";
import type { Manifest } from "../../../core/manifest/manifest.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MANIFEST: Manifest = {
  schema: "app2host/1",
  package_id: "pkg_a",
  title: "Kit",
  source: { app: "Looper" },
  items: [{ id: "1", file: "1.wav", name: "Kick", kind: "oneshot" }],
};

async function setUp() {
  const root = join(await temporaryFolder(), "sounds");
  const { path } = await new SoundsFolder(root).openFor(MANIFEST);
  const write = (text: string) =>
    writeAboutPackage(
      path,
      new Map([
        ["Kit.dawproject", `project ${text}`],
        ["manifest.json", `manifest ${text}`],
      ]),
    );
  const read = (name: string) => readFile(join(path, name), "utf8");
  return { root, path, write, read };
}

test("[F10] files about a package are replaced by newer ones, and the same ones aren't written again", async () => {
  const { path, write, read } = await setUp();
  await write("one");
  const timesOf = async () => {
    const names = (await readdir(path)).toSorted();
    return Promise.all(names.map(async (name) => [name, (await stat(join(path, name))).ino]));
  };
  const times = await timesOf();
  await write("one");
  expect(await timesOf()).toEqual(times);
  await write("two");
  expect([await read("Kit.dawproject"), await read("manifest.json")]).toEqual([
    "project two",
    "manifest two",
  ]);
});

describe("a file of a person's", () => {
  test.each(["Kit.dawproject", "manifest.json"])("[F10] is never overwritten: %s", async (name) => {
    const { path, write, read } = await setUp();
    await writeFile(join(path, name), "mine");
    await write("one");
    await write("two");
    expect(await read(name)).toBe("mine");
    await removeAboutPackage(path);
    expect((await readdir(path)).toSorted()).toEqual([".soundferry.json", name]);
  });

  test("[F10] is one that was ours until a program saved it", async () => {
    const { path, write, read } = await setUp();
    await write("one");
    await writeFile(join(path, "Kit.dawproject"), "mine now");
    await write("two");
    expect([await read("Kit.dawproject"), await read("manifest.json")]).toEqual([
      "mine now",
      "manifest two",
    ]);
  });

  test("[F4][F10] is what a link leads to, and nothing is written through it", async () => {
    const { root, path, write } = await setUp();
    const [file, folder] = [join(root, "..", "mine.json"), join(path, "Kit.dawproject")];
    await writeFile(file, "mine");
    await symlink(file, join(path, "manifest.json"));
    await mkdir(folder);
    await write("one");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await stat(folder)).isDirectory()).toBe(true);
    await removeAboutPackage(path);
    expect(await readFile(file, "utf8")).toBe("mine");
  });
});

test("[F10] what a crash left between the marker and the file is still ours", async () => {
  const { path, write, read } = await setUp();
  await write("one");
  const old = await read("manifest.json");
  await write("two");
  // The marker was flushed, the new file wasn't.
  await writeFile(join(path, "manifest.json"), old);
  await write("three");
  expect(await read("manifest.json")).toBe("manifest three");
});

test("[F10] the project keeps its name in a folder that a person renamed", async () => {
  const { root, path, write } = await setUp();
  await write("one");
  const renamed = join(root, "Drums of June");
  await rename(path, renamed);
  expect(await projectNameIn(renamed, "Drums of June.dawproject")).toBe("Kit.dawproject");
  await removeAboutPackage(renamed);
  expect(await readdir(renamed)).toEqual([".soundferry.json"]);
  expect(await projectNameIn(renamed, "Drums of June.dawproject")).toBe("Drums of June.dawproject");
});

test.each([
  ["../../mine.json", "manifest.json"],
  ["..", "manifest.json"],
  ["song.wav", "manifest.json"],
])("[F4][F10] a marker that claims %s doesn't give it away", async (claimed, ours) => {
  const { root, path, write } = await setUp();
  await write("one");
  await writeFile(join(root, "..", "mine.json"), "mine");
  await writeFile(join(path, "song.wav"), "mine");
  const marker = JSON.parse(await readFile(join(path, ".soundferry.json"), "utf8"));
  const [digest] = marker.written[ours];
  marker.written[claimed] = [digest];
  await writeFile(join(path, ".soundferry.json"), JSON.stringify(marker));
  await writeFile(join(path, "song.wav"), "manifest one");
  await writeFile(join(root, "..", "mine.json"), "manifest one");
  await removeAboutPackage(path);
  expect((await readdir(path)).toSorted()).toEqual([".soundferry.json", "song.wav"]);
  expect(await readFile(join(root, "..", "mine.json"), "utf8")).toBe("manifest one");
});

test.each([
  '{"written": 7}',
  '{"written": {"manifest.json": "x"}}',
  '{"written": {"manifest.json": [7, null]}}',
  '{"written": [["manifest.json"]]}',
])("[F2][F10] a marker with %s is read without it", async (more) => {
  const { path, write, read } = await setUp();
  const own = { package_id: "pkg_a", title: "Kit", files: [], played: [] };
  await writeFile(join(path, ".soundferry.json"), JSON.stringify({ ...own, ...JSON.parse(more) }));
  expect((await readMarker(path))?.packageId).toBe("pkg_a");
  await write("one");
  expect(await read("manifest.json")).toBe("manifest one");
});

test("[F4][F10] a manipulated manifest names no file but a WAV of the folder", async () => {
  const { path } = await setUp();
  const files = [
    "../Kick.wav",
    "/Kick.wav",
    ".soundferry.json",
    "manifest.json",
    "a/b.wav",
    "Ü.wav",
  ];
  const items = files.map((file, index) => ({ id: String(index), file, name: "Kick" }));
  await writeFile(join(path, "manifest.json"), JSON.stringify({ items: [...items, null, 7, {}] }));
  const saved = await readSavedSounds(path);
  expect([...saved.values()]).toEqual([{ file: "Ü.wav", name: "Kick", digest: {} }]);
  for (const text of ["{", "[]", "x".repeat(3_000_000), '{"items":{"a":1}}']) {
    await writeFile(join(path, "manifest.json"), text);
    expect((await readSavedSounds(path)).size).toBe(0);
  }
});
