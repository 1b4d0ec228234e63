import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clearKeptFiles, measureKeptFiles } from "../../../addon/disk/kept-files.ts";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import type { Manifest } from "../../../core/manifest/manifest.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MARKER = ".soundferry.json";

function manifestOf(id: string, names: readonly string[]): Manifest {
  return {
    schema: "app2host/1",
    package_id: id,
    title: `Kit ${id}`,
    source: { app: "Looper" },
    items: names.map((name) => ({ id: name, file: `${name}.wav`, name, kind: "oneshot" })),
  };
}

/** A sounds folder with one package in it; each file has as many bytes as its letter says. */
async function setUp() {
  const path = join(await temporaryFolder(), "sounds");
  const folder = await new SoundsFolder(path).openFor(manifestOf("pkg_a", ["A", "B", "C"]));
  await writeFile(folder.pathOf("A"), "a");
  await writeFile(folder.pathOf("B"), "bb");
  await writeFile(`${folder.pathOf("C")}.part`, "cccc");
  return { path, folder, list: () => readdir(folder.path).then((names) => names.sort()) };
}

test("[F6] what is kept is the importer's own files, with half-fetched ones; what a host plays is not for clearing", async () => {
  const { path, folder } = await setUp();
  expect(await measureKeptFiles(path)).toEqual({ bytes: 7, clearableBytes: 7 });
  await folder.keep(["B"]);
  expect(await measureKeptFiles(path)).toEqual({ bytes: 7, clearableBytes: 5 });
});

test("[F6] clearing leaves what a host plays, and the folder with it", async () => {
  const { path, folder, list } = await setUp();
  await folder.keep(["B"]);
  await clearKeptFiles(path);
  expect(await list()).toEqual([MARKER, "B.wav"]);
  expect(await measureKeptFiles(path)).toEqual({ bytes: 2, clearableBytes: 0 });
});

test("[F6] deletes a folder with its last file, even if renamed; the next import creates it again", async () => {
  const { path, folder } = await setUp();
  await rename(folder.path, join(path, "My kit"));
  await clearKeptFiles(path);
  expect(await readdir(path)).toEqual([]);
  const again = await new SoundsFolder(path).openFor(manifestOf("pkg_a", ["A"]));
  expect(again.fileNameOf("A")).toBe("A.wav");
});

test("[F6] foreign files are neither counted nor deleted", async () => {
  const { path, list } = await setUp();
  await writeFile(join(path, "Kit pkg_a", "mine.wav"), "mine");
  await mkdir(join(path, "Inbox", "one"), { recursive: true });
  await writeFile(join(path, "Inbox", "one", "Kick.wav"), "kick");
  await mkdir(join(path, "Other"));
  await writeFile(join(path, "Other", "A.wav"), "other");
  expect((await measureKeptFiles(path)).bytes).toBe(7);
  await clearKeptFiles(path);
  expect(await list()).toEqual([MARKER, "mine.wav"]);
  expect((await readdir(path)).sort()).toEqual(["Inbox", "Kit pkg_a", "Other"]);
  expect(await readdir(join(path, "Inbox", "one"))).toEqual(["Kick.wav"]);
});

test("[F6] a DAWproject file stays, and its folder with it; what is left of one half-written goes", async () => {
  const { path, folder, list } = await setUp();
  await writeFile(join(folder.path, `${folder.name}.dawproject`), "whole");
  await writeFile(join(folder.path, `${folder.name}.dawproject.new`), "half");
  expect(await measureKeptFiles(path)).toEqual({ bytes: 11, clearableBytes: 11 });
  await clearKeptFiles(path);
  expect(await list()).toEqual([MARKER, `${folder.name}.dawproject`]);
});

test("[F4][F6] a manipulated marker and links lead to no other place", async () => {
  const { path, folder, list } = await setUp();
  const outside = join(path, "..", "outside");
  await mkdir(outside);
  await writeFile(join(outside, "mine.wav"), "mine");
  await symlink(outside, join(path, "link"));
  await symlink(join(outside, "mine.wav"), folder.pathOf("C"));
  const files = ["../../outside/mine.wav", "..", ".", "", MARKER, "C.wav", "A.wav"];
  const marker = { package_id: "pkg_a", title: "Kit", files, played: [] };
  for (const at of [folder.path, outside]) {
    await writeFile(join(at, MARKER), JSON.stringify(marker));
  }
  expect(await measureKeptFiles(path)).toEqual({ bytes: 5, clearableBytes: 5 });
  await clearKeptFiles(path);
  expect(await readdir(outside)).toContain("mine.wav");
  expect(await list()).toEqual([MARKER, "B.wav", "C.wav"]);
});

test("[F6] without a sounds folder there is nothing to clear", async () => {
  const path = join(await temporaryFolder(), "none");
  expect(await measureKeptFiles(path)).toEqual({ bytes: 0, clearableBytes: 0 });
  await clearKeptFiles(path);
});
