import { stat, utimes, writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, onTestFinished } from "vitest";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { findSceneFolders } from "../../../cli/preview/scene-folders.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { brief, readScene, follow, previewOf } from "./preview-at-work.ts";
import { until } from "../../sim/until.ts";
import { formatWatchTrouble, watchFolders } from "../../../cli/preview/watch-folders.ts";

/** A session that has read the packages A and B, and counts its notifications since. */
async function session() {
  const folder = await temporaryFolder();
  const put = (name: string, title: string) =>
    writeLocalPackage(join(folder, name), title, ["Kick"]);
  for (const name of ["A", "B"]) await put(name, name);
  const preview = new PreviewSession({ roots: [folder], startFolder: folder, isWatching: true });
  onTestFinished(() => preview[Symbol.asyncDispose]());
  await preview.readAll();
  await until(() => preview.state.scenes.every((scene) => readScene(scene).findings !== null));
  const told = { changes: 0 };
  preview.subscribe(() => void told.changes++);
  return { folder, put, preview, told, names: () => brief(preview.state.scenes) };
}

test("[V1] notifies nobody when a second read finds the same", async () => {
  const { folder, preview, told } = await session();
  await preview.readAll();
  await preview.readChanged([join(folder, "A", "Kick.wav"), join(folder, "notes.txt"), "/"]);
  expect(told.changes).toBe(0);
});

test("[V4] reads only the changed packages again", async () => {
  const { folder, put, preview, told, names } = await session();
  for (const name of ["A", "B"]) await put(name, "New");
  const other = preview.state.scenes[1];
  await preview.readChanged([join(folder, "A", "expected", "layout.json")]);
  expect(names()).toEqual(["New (Looper)", "B (Looper)"]);
  expect(preview.state.scenes[1]).toBe(other);
  expect(told.changes).toBe(1);
});

test("[V4] reads changes during a read together afterwards", async () => {
  const { folder, put, preview, told, names } = await session();
  for (const name of ["A", "B", "C"]) await put(name, "New");
  const manifests = ["A", "B", "C"].map((name) => join(folder, name, "manifest.json"));
  await Promise.all(manifests.map((manifest) => preview.readChanged([manifest])));
  expect(names()).toEqual(["New (Looper)", "New (Looper)", "New (Looper)"]);
  expect(told.changes).toBe(1);
});

test("[V1] notices a different WAV of the same size and time", async () => {
  const { folder, preview } = await session();
  const wav = join(folder, "A", "Kick.wav");
  const revision = () => {
    const [track] = readScene(preview.state.scenes[0]).tracks;
    return track !== undefined && "revision" in track ? track.revision : undefined;
  };
  const [before, { mtime }] = [revision(), await stat(wav)];
  expect(before).toEqual(expect.any(String));
  // Repeats until the file system's clock has advanced.
  while (revision() === before) {
    await writeFile(wav, smallWav({ fill: 3 }));
    await utimes(wav, mtime, mtime);
    await preview.readAll();
  }
});

test("[V1] a package that two paths lead to is one scene", async () => {
  const { folder } = await session();
  const roots = [join(folder, "A"), folder];
  const found = await findSceneFolders({ roots, startFolder: folder });
  expect([...found.values()].map(({ shownAs }) => shownAs)).toEqual(["A", "B"]);
});

test("[V4] an edited WAV changes only its package on the page", async () => {
  const folder = await temporaryFolder();
  for (const name of ["A", "B"]) await writeLocalPackage(join(folder, name), name, ["Kick"]);
  const page = await follow(await previewOf([folder], { isWatching: true }));
  expect(page.states[0]).toMatchObject({ isWatching: true, trouble: null });
  await page.sees((scenes) => scenes.every((scene) => readScene(scene).findings !== null));
  const framesOfA = () => readScene(page.scenes[0]).tracks[0];
  const [before, other] = [framesOfA(), page.scenes[1]];
  expect(before).toMatchObject({ frames: 100 });
  await writeFile(join(folder, "A", "Kick.wav"), smallWav({ frames: 200 }));
  await page.sees(([scene]) => {
    const [track] = readScene(scene).tracks;
    return track !== undefined && !("error" in track) && track.frames === 200;
  });
  expect(framesOfA()).not.toMatchObject({ revision: readRevision(before) });
  expect(page.scenes[1]).toEqual(other);
});

test("[V4] watches neither dot folders nor node_modules, wherever the library is", async () => {
  const root = join(await temporaryFolder(), ".sounds", "node_modules", "Kit");
  const aside = [".git", "node_modules", "deep/.cache"].map((name) => join(root, name));
  for (const folder of [root, ...aside]) await mkdir(folder, { recursive: true });
  const seen = new Set<string>();
  const watch = await watchFolders([root], {
    onChange: (paths) => paths.forEach((path) => seen.add(path)),
    onTrouble: (sentence) => expect.unreachable(sentence),
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  const last = join(root, "deep", "last.wav");
  for (const folder of aside) await writeFile(join(folder, "a.wav"), "");
  await writeFile(join(root, ".hidden"), "");
  await writeFile(last, "");
  await until(() => seen.has(last));
  expect([...seen]).toEqual([last]);
});

test("[V4] says what can't be watched, and what to do about it", () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: watch`), { code });
  expect(formatWatchTrouble(failed("ENOSPC"))).toContain("max_user_watches");
  expect(formatWatchTrouble(failed("EMFILE"))).toContain("max_user_instances");
  expect(formatWatchTrouble(failed("EIO"))).toContain("EIO: watch");
});

function readRevision(track: object | undefined): unknown {
  return track !== undefined && "revision" in track ? track.revision : undefined;
}
