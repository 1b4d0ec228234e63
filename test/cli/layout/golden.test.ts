import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { colorLayout } from "../../../core/layout/palette.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import {
  checkGolden,
  type GoldenUpdate,
  isGoldenTextStale,
  updateGolden,
} from "../../../cli/layout/golden.ts";
import { type PackageAudio, readPackageAudio } from "../../../cli/layout/read-package-audio.ts";
import { type FolderPackage, readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { TWO_HITS, writeManifest, writePackage } from "./package-folders.ts";

const SAME = { status: "same", hints: [], problems: [] };

async function withAudio<Result>(
  folder: string,
  work: (pkg: FolderPackage, audio: PackageAudio) => Promise<Result>,
): Promise<Result> {
  const pkg = await readPackageFolder(folder);
  return work(pkg, await readPackageAudio(pkg));
}

/** Accepts a package; resolves with whether a file changed. */
async function update(folder: string): Promise<boolean> {
  const { changed }: GoldenUpdate = await withAudio(folder, updateGolden);
  return changed;
}

/** A package whose layout was accepted. */
async function acceptedPackage() {
  const folder = await writePackage(join(await temporaryFolder(), "package"));
  await update(folder);
  return {
    folder,
    json: join(folder, "expected", "layout.json"),
    text: join(folder, "expected", "layout.txt"),
    read: () => readPackageFolder(folder),
    check: async () => withAudio(folder, checkGolden),
    update: async () => update(folder),
    isTextStale: async () => isGoldenTextStale(await readPackageFolder(folder)),
  };
}

test("[B2] a layout that was never accepted has no golden, and is the same once it is accepted", async () => {
  const folder = await writePackage(join(await temporaryFolder(), "package"));
  const missing = { status: "missing", file: "expected/layout.json", problems: [] };
  expect(await withAudio(folder, checkGolden)).toEqual(missing);
  expect(await isGoldenTextStale(await readPackageFolder(folder))).toBe(false);
  expect(await update(folder)).toBe(true);
  expect(await withAudio(folder, checkGolden)).toEqual(SAME);
  expect(await update(folder)).toBe(false);
});

describe("a golden from before colors were automatic", () => {
  /** Accepts a layout in which both sounds have a color. */
  async function oldGolden(colorIndex = 10) {
    const work = await acceptedPackage();
    const golden = JSON.parse(await readFile(work.json, "utf8"));
    for (const track of golden.tracks) {
      expect(track.color_index).toBeNull();
      track.color_index = colorIndex;
    }
    await writeFile(work.json, JSON.stringify(golden));
    const { layout } = await work.read();
    await writeFile(work.text, formatLayout(colorLayout(layout, 0)));
    return work;
  }

  test("[B5] passes, and names the sounds whose color is automatic now", async () => {
    const { check, isTextStale, update } = await oldGolden();
    expect(await check()).toEqual({
      ...SAME,
      hints: ["1", "2"].map((sound) => ({ sound, code: "COLOR_AUTOMATIC" })),
    });
    expect(await isTextStale()).toBe(false);
    expect(await update()).toBe(true);
    expect(await check()).toEqual(SAME);
  });

  test("[B5] its layout.txt is outdated if it shows a color that the golden doesn't have", async () => {
    const { text, isTextStale } = await oldGolden();
    const shown = await readFile(text, "utf8");
    await writeFile(text, shown.replace(/#\w{6} \(10\)/, "#FF94A6 (0)"));
    expect(await readFile(text, "utf8")).not.toBe(shown);
    expect(await isTextStale()).toBe(true);
  });

  test("[B5] still differs in everything else", async () => {
    const { folder, check } = await oldGolden();
    const items = TWO_HITS.map(({ file, name, kind }) => ({ file, name, kind, gain_db: -3 }));
    await writeManifest(folder, { title: "Found", items });
    expect(await check()).toMatchObject({
      status: "differs",
      differences: [{ sound: "2", setting: "gain_db", accepted: 0, now: -3 }],
    });
  });

  test("[B5] differs where the color is no palette entry, and where the sound has its own color now", async () => {
    const none = await oldGolden(70);
    expect(await none.check()).toMatchObject({
      differences: [{ setting: "color_index", accepted: 70, now: null }, { sound: "2" }],
    });
    const own = await oldGolden();
    const items = TWO_HITS.map((item) => ({ ...item, color: "#000000" }));
    await writeManifest(own.folder, { title: "Found", items });
    expect(await own.check()).toMatchObject({
      differences: [{ setting: "color_index", accepted: 10 }, { sound: "2" }],
    });
  });

  test("[B5] an automatic color that was accepted differs from one of the sound's own", async () => {
    const { folder, check } = await acceptedPackage();
    const items = TWO_HITS.map((item) => ({ ...item, color: "#FF94A6" }));
    await writeManifest(folder, { title: "Found", items });
    expect(await check()).toMatchObject({
      differences: [{ setting: "color_index", accepted: null, now: 0 }, { sound: "2" }],
    });
  });
});

test("[B2] order of members, white space and line ends don't matter", async () => {
  const { json, text, check, isTextStale, update } = await acceptedPackage();
  const { warnings, tracks, scene } = JSON.parse(await readFile(json, "utf8"));
  await writeFile(json, `\uFEFF${JSON.stringify({ warnings, tracks, scene }, null, "\t")}`);
  expect(await check()).toEqual(SAME);
  await update();
  for (const path of [json, text]) {
    await writeFile(path, `\uFEFF${(await readFile(path, "utf8")).replaceAll("\n", "\r\n")}`);
  }
  expect(await check()).toEqual(SAME);
  expect(await isTextStale()).toBe(false);
  expect(await update()).toBe(false);
});

test("[B2] reports a change with the accepted value, and leaves the golden unchanged", async () => {
  const { folder, json, check, update, isTextStale } = await acceptedPackage();
  const golden = await readFile(json, "utf8");
  const items = TWO_HITS.map(({ file, name, kind }) => ({ file, name, kind, gain_db: -3 }));
  await writeManifest(folder, { title: "Found", items });
  const verdict = await check();
  expect(verdict).toMatchObject({
    status: "differs",
    accepted: JSON.parse(golden),
    differences: [{ sound: "2", setting: "gain_db", accepted: 0, now: -3 }],
  });
  expect(await isTextStale()).toBe(true);
  expect(await readFile(json, "utf8")).toBe(golden);
  expect(await update()).toBe(true);
  expect(await check()).toEqual(SAME);
});

test.each<[sentence: string, text: string]>([
  ["expected/layout.json isn't valid JSON (line 1, column 2).", "{"],
  ["expected/layout.json can't be used. This is not a layout.", "null"],
  ["expected/layout.json can't be used. This is not a layout.", "{}"],
])("[B2] a golden that is no layout is unreadable: %s", async (error, text) => {
  const { json, check, update } = await acceptedPackage();
  await writeFile(json, text);
  expect(await check()).toEqual({ status: "unreadable", error, problems: [] });
  expect(await update()).toBe(true);
  expect(await check()).toEqual(SAME);
});

test("[B2] refuses to read or write a golden that is a folder", async () => {
  const { json, check, update } = await acceptedPackage();
  await rm(json);
  await mkdir(json);
  const error = "expected/layout.json is not a file.";
  expect(await check()).toEqual({ status: "unreadable", error, problems: [] });
  await expect(update()).rejects.toThrow("expected/layout.json can't be written.");
});

test("[B2] a golden larger than any layout is not read", async () => {
  const { json, check, update } = await acceptedPackage();
  await writeFile(json, " ".repeat(1_048_577));
  const error = "expected/layout.json is too large. The limit is 1 MiB.";
  expect(await check()).toEqual({ status: "unreadable", error, problems: [] });
  expect(await update()).toBe(true);
  expect(await check()).toEqual(SAME);
});

test("[B2] a golden that can't be replaced stays as it was", async () => {
  const { folder, json, update } = await acceptedPackage();
  const golden = await readFile(json, "utf8");
  await writeManifest(folder, { title: "New", items: TWO_HITS });
  await mkdir(`${json}.new`);
  await expect(update()).rejects.toThrow("expected/layout.json can't be written.");
  expect(await readFile(json, "utf8")).toBe(golden);
});

describe.skipIf(process.platform === "win32")("[B2] a golden that is not a plain file", () => {
  test("does not wait for a pipe, and replaces it", async () => {
    const { json, check, update } = await acceptedPackage();
    await rm(json);
    execFileSync("mkfifo", [json]);
    const error = "expected/layout.json is not a file.";
    expect(await check()).toEqual({ status: "unreadable", error, problems: [] });
    expect(await update()).toBe(true);
    expect(await check()).toEqual(SAME);
  });

  test("neither reads nor writes through a link out of the package", async () => {
    const { folder, json, check, update } = await acceptedPackage();
    const outside = join(await temporaryFolder(), "outside");
    await writeFile(outside, await readFile(json));
    await rm(json);
    for (const link of [json, `${json}.new`]) await symlink(outside, link);
    const error = "expected/layout.json is outside the package's folder.";
    expect(await check()).toEqual({ status: "unreadable", error, problems: [] });
    await writeManifest(folder, { title: "New", items: TWO_HITS });
    expect(await update()).toBe(true);
    expect(await check()).toEqual(SAME);
    expect(await readFile(outside, "utf8")).toContain("Found (App)");
    expect(await readdir(join(folder, "expected"))).toEqual([
      "audio.json",
      "layout.json",
      "layout.txt",
    ]);
  });

  test("writes nothing into a folder that is a link out of the package", async () => {
    const { folder, update } = await acceptedPackage();
    const outside = await temporaryFolder();
    await rm(join(folder, "expected"), { recursive: true });
    await symlink(outside, join(folder, "expected"));
    await expect(update()).rejects.toThrow("is outside the package's folder.");
    expect(await readdir(outside)).toEqual([]);
  });
});

test("[B2] layout.txt may be missing but must not be outdated", async () => {
  const { text, check, isTextStale, update } = await acceptedPackage();
  await writeFile(text, `${await readFile(text, "utf8")}And more.\n`);
  expect([await check(), await isTextStale()]).toEqual([SAME, true]);
  expect(await update()).toBe(true);
  expect(await isTextStale()).toBe(false);
  await rm(text);
  expect([await check(), await isTextStale()]).toEqual([SAME, false]);
});
