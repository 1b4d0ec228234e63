import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { SceneListener } from "../../../cli/preview/scene-listener.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { writeLibrary, writePackage } from "../layout/package-folders.ts";
import { smallWav } from "../../wav-bytes.ts";
import { until } from "../../sim/until.ts";
import { follow, previewOf, readScene } from "./preview-at-work.ts";

test("[V18] findings reach the page after the scenes, and a mended sound loses them", async () => {
  const folder = join(await temporaryFolder(), "Kit");
  await writePackage(folder);
  await writeFile(join(folder, "tick.wav"), smallWav());
  const page = await follow(await previewOf([folder], { isWatching: true }));
  expect(readScene(page.states[0]?.scenes[0]).name).toBe("Found (App)");
  await page.sees(([scene]) => readScene(scene).findings !== null);
  expect(readScene(page.scenes[0]).findings).toEqual([
    expect.objectContaining({ code: "SILENT", sound: "2", sentence: "is silent" }),
  ]);
  await writeFile(join(folder, "tick.wav"), smallWav({ fill: 1 }));
  await page.sees(([scene]) => readScene(scene).findings?.length === 0);
});

test("[V18] a read resolves before anything is heard, and hearing changes no revision", async () => {
  const folder = await temporaryFolder();
  await writeLibrary(folder, { packages: 3, sounds: 2 });
  const session = new PreviewSession({ roots: [folder], startFolder: folder, isWatching: false });
  onTestFinished(() => session[Symbol.asyncDispose]());
  await session.readAll();
  const before = session.state.scenes.map(readScene);
  expect(before.map(({ findings }) => findings)).toEqual([null, null, null]);
  await until(() => session.state.scenes.every((scene) => readScene(scene).findings !== null));
  const after = session.state.scenes.map(readScene);
  expect(after.map(({ revision }) => revision)).toEqual(before.map(({ revision }) => revision));
  await session.readAll();
  expect(session.state.scenes.map((scene) => readScene(scene).findings)).toEqual([[], [], []]);
});

test("[V18] many packages are shown a few times only while they are heard", async () => {
  const folder = await temporaryFolder();
  const folders = await writeLibrary(folder, { packages: 60, sounds: 1 });
  const packages = await Promise.all(folders.map(readPackageFolder));
  let shown = 0;
  const listener = new SceneListener(() => void (shown += 1));
  onTestFinished(() => listener[Symbol.asyncDispose]());
  listener.listen(packages);
  await until(() => packages.every((pkg) => listener.findingsOf(pkg) !== null));
  expect(shown).toBeLessThan(15);
});

test("[V18] listening stops with the preview, and leaves out what can't be read", async () => {
  const folder = await temporaryFolder();
  const pkg = await readPackageFolder(await writePackage(join(folder, "Kit")));
  const stopped = new SceneListener(() => expect.unreachable());
  stopped.listen([pkg]);
  await stopped[Symbol.asyncDispose]();
  await writeFile(join(folder, "Kit", "hit.wav"), "no WAV any more");
  let isHeard = false;
  const listener = new SceneListener(() => (isHeard = true));
  onTestFinished(() => listener[Symbol.asyncDispose]());
  listener.listen([pkg]);
  await until(() => isHeard);
  expect(listener.findingsOf(pkg)).toEqual([]);
});
