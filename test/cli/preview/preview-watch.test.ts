import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { until } from "../../sim/until.ts";
import { smallWav } from "../../wav-bytes.ts";
import { formatWatchTrouble, watchFolders } from "../../../cli/preview/watch-folders.ts";
import { follow, previewOf, readScene } from "./preview-at-work.ts";

test("[V4] an edited WAV changes only its package on the page", async () => {
  const folder = await temporaryFolder();
  for (const name of ["A", "B"]) await writeLocalPackage(join(folder, name), name, ["Kick"]);
  const page = await follow(await previewOf([folder], { isWatching: true }));
  expect(page.states[0]).toMatchObject({ isWatching: true, trouble: null });
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
