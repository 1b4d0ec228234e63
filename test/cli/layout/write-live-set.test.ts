import {
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportPackages, liveSetExport } from "../../../cli/commands/layout/export-packages.ts";
import { sentenceOf } from "../../../cli/fail.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { writeLiveSet } from "../../../cli/layout/write-live-set.ts";
import { outputFor } from "../../../cli/output.ts";
import { readLiveSet, readSetFile } from "../../../addon/hosts/live-set/read-live-set.ts";
import { childrenAt, descend, numberAt, valueAt } from "../../../core/live-set/set-element.ts";
import { assertSetFits, SetTooLargeError } from "../../../core/live-set/set-size.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { clipsIn } from "../../core/live-set/made-set.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { smallWav } from "../../wav-bytes.ts";

const SAMPLES = join("Samples", "Imported");

/** A package with these sounds in a new folder, and a folder for the project beside it. */
async function setUp(...names: readonly string[]) {
  const folder = await temporaryFolder();
  const kit = await writeLocalPackage(join(folder, "kit"), "Kit", names);
  return { folder, kit, out: join(folder, "out"), read: () => readPackageFolder(kit) };
}

test("[LS11] packages become one Set with a scene each, and every sound in its project, byte for byte", async () => {
  const out = join(await temporaryFolder(), "Library");
  const packages = await Promise.all(
    ["half-beat-lengths", "missing-tempo"].map((name) => readPackageFolder(fixtureFolder(name))),
  );
  const written = await writeLiveSet(packages, out);
  expect(written).toMatchObject({ scenes: 2, sounds: 9, leftOut: [] });
  expect(written.path).toBe(join(out, "Library Project", "Library.als"));
  const scenes = childrenAt(await readSetFile(written.path), "LiveSet", "Scenes");
  expect(scenes.map((scene) => valueAt(scene, "Name"))).toEqual([
    "Seven Eighths & Relatives (Limp)",
    "Found on an Old Drive (Attic)",
  ]);
  const clips = await readLiveSet(written.path);
  const sounds = packages.flatMap(({ local }) =>
    local.manifest.items.map((sound) => local.pathOf(sound)),
  );
  expect(clips).toHaveLength(sounds.length);
  for (const [index, { clip, path = "" }] of clips.entries()) {
    expect(clip.file.relativePath).toMatch(/^Samples\/Imported\/[^/]+\.wav$/);
    expect(await readFile(path)).toEqual(await readFile((await sounds[index]) ?? ""));
  }
});

test("[LS11] a single package's scene names the project, and the same package gives the same bytes", async () => {
  const { kit, out, read } = await setUp("Kick", "kick");
  await utimes(join(kit, "Kick.wav"), 1_600_000_000, 1_600_000_000.9);
  const { path } = await writeLiveSet([await read()], out);
  expect(path).toBe(join(out, "Kit (Looper) Project", "Kit (Looper).als"));
  const bytes = await readFile(path);
  const [kick] = clipsIn(await readSetFile(path));
  const sample = descend(kick?.clip, "SampleRef");
  expect(valueAt(sample, "FileRef", "RelativePathType")).toBe("3");
  expect(numberAt(sample, "LastModDate")).toBe(1_600_000_000);
  await writeLiveSet([await read()], out);
  expect(await readFile(path)).toEqual(bytes);
  expect((await readdir(join(path, "..", SAMPLES))).toSorted()).toEqual(["Kick.wav", "kick 2.wav"]);
});

test("[LS11] a file that is there with other bytes stays, and so does what a link names", async () => {
  const { folder, out, read } = await setUp("Kick", "Snare");
  const { path } = await writeLiveSet([await read()], out);
  const samples = join(path, "..", SAMPLES);
  await writeFile(join(samples, "Kick.wav"), "mine");
  await rm(join(samples, "Snare.wav"));
  await writeFile(join(folder, "elsewhere"), "also mine");
  await symlink(join(folder, "elsewhere"), join(samples, "Snare.wav"));
  await writeLiveSet([await read()], out);
  expect(await readFile(join(samples, "Kick.wav"), "utf8")).toBe("mine");
  expect(await readFile(join(folder, "elsewhere"), "utf8")).toBe("also mine");
  const files = (await readLiveSet(path)).map(({ clip }) => clip.file.relativePath);
  expect(files).toEqual(["Samples/Imported/Kick 2.wav", "Samples/Imported/Snare 2.wav"]);
});

test("[LS11] a sound that can't be used is left out; without any, nothing is made", async () => {
  const { folder, kit, out } = await setUp("Kick", "Snare");
  await writeFile(join(kit, "Kick.wav"), smallWav({ frames: 8, bits: 32 }));
  const given: unknown[] = [];
  const output = {
    ...outputFor({}),
    say: () => undefined,
    give: (json: unknown) => void given.push(json),
  };
  expect(await exportPackages([kit], liveSetExport(out), output)).toBe(0);
  expect(given).toMatchObject([
    {
      live_set: join(out, "Kit (Looper) Project", "Kit (Looper).als"),
      scenes: 1,
      sounds: 1,
      left_out: [{ sound: "Kick", text: expect.stringMatching(/^Kick\.wav has 32-bit integers/) }],
      caution: "Experimental: not yet opened in a real Live.",
    },
  ]);
  await cp(join(kit, "Kick.wav"), join(kit, "Snare.wav"));
  const other = join(folder, "other");
  await mkdir(other);
  const failure = await exportPackages([kit], liveSetExport(other), output).catch(sentenceOf);
  expect(failure).toContain("None of the sounds in these packages can be used.");
  expect(await readdir(other)).toEqual([]);
});

test("[LS11] a cancel removes what it added, and nothing else", async () => {
  const { out, read } = await setUp("Kick", "Snare");
  const kit = await read();
  const callOff = new AbortController();
  const writing = writeLiveSet([kit, kit], out, { signal: callOff.signal });
  callOff.abort(new Error("Stopped."));
  await expect(writing).rejects.toThrow("Stopped.");
  await expect(stat(join(out, "out Project"))).rejects.toThrow(/ENOENT/);
  const { path } = await writeLiveSet([kit], out);
  const [before, files] = [
    await readFile(path),
    await readdir(join(path, ".."), { recursive: true }),
  ];
  const again = writeLiveSet([kit], out, { signal: AbortSignal.abort(new Error("Stopped.")) });
  await expect(again).rejects.toThrow("Stopped.");
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(join(path, ".."), { recursive: true })).toEqual(files);
});

test("[LS11] more packages than one Set can hold are refused before anything is copied", async () => {
  const { folder, out, read } = await setUp("Kick", "Snare");
  const one = await read();
  const most = Array.from({ length: 120 }, () => one);
  const tooMany = [...most, ...most];
  await expect(writeLiveSet(tooMany, out)).rejects.toThrow(
    "These packages are too many for one Set. Write fewer at once.",
  );
  expect((await readdir(folder)).toSorted()).toEqual(["kit"]);
  expect(() => assertSetFits({ tracks: 240, scenes: 120 })).not.toThrow();
  expect(() => assertSetFits({ tracks: 480, scenes: 240 })).toThrow(SetTooLargeError);
});
