import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hearFile, hearPackage } from "../../../cli/layout/hear-package.ts";
import { type FolderPackage, readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { SceneListener } from "../../../cli/preview/scene-listener.ts";
import type { FieldChange, PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { until } from "../../sim/until.ts";
import { smallWav } from "../../wav-bytes.ts";
import { writeLibrary, writePackage } from "../layout/package-folders.ts";
import { allHeard, follow, previewOf, readScene } from "./preview-at-work.ts";

/** Notes each file that it reads, and holds those after the first few. */
function holdingReader() {
  const files: string[] = [];
  let limit = Infinity;
  let gate = Promise.withResolvers<void>();
  const hear: typeof hearFile = async (file, listeners) => {
    files.push(file.sound.file);
    if (files.length > limit) await gate.promise;
    return hearFile(file, listeners);
  };
  const release = (): void => {
    limit = Infinity;
    gate.resolve();
  };
  const hold = (count = 0): void => {
    release();
    limit = count;
    gate = Promise.withResolvers();
  };
  onTestFinished(release);
  return { files, hear, hold, release };
}

/** A session of a library whose sounds a test holds. */
async function heldSession({ packages = 3, sounds = 2 } = {}) {
  const folder = await temporaryFolder();
  const folders = Array.from({ length: packages }, (_, index) => join(folder, `Kit ${index + 1}`));
  const items = Array.from({ length: sounds }, (_, index) => ({ file: `sound-${index + 1}.wav` }));
  for (const [index, kit] of folders.entries()) {
    await writePackage(kit, { title: `Title ${index + 1}`, items });
    for (const { file } of items) await writeFile(join(kit, file), smallWav({ fill: 1 }));
  }
  const reader = holdingReader();
  reader.hold();
  const { hear } = reader;
  const session = new PreviewSession({
    roots: folders,
    startFolder: folder,
    isWatching: false,
    hear,
  });
  onTestFinished(async () => {
    reader.release();
    await session[Symbol.asyncDispose]();
  });
  await session.readAll();
  const scenes = (): readonly PreviewReadScene[] => session.state.scenes.map(readScene);
  const statuses = () => scenes().map(({ golden }) => golden.status);
  const heard = async (): Promise<void> => {
    reader.release();
    await allHeard(session);
  };
  return { ...reader, folders, session, scenes, statuses, heard };
}

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

test("[V18] scenes are shown before a sound is read, and each sound is read once for golden and findings", async () => {
  const { session, scenes, statuses, files, heard } = await heldSession();
  expect(statuses()).toEqual(["reading", "reading", "reading"]);
  expect(scenes()[0]).toMatchObject({ name: "Title 1 (App)", tracks: [{}, {}], findings: null });
  // One at a time: the second file waits for the first.
  expect(files).toHaveLength(1);
  await heard();
  expect(statuses()).toEqual(["missing", "missing", "missing"]);
  expect(scenes().map(({ findings }) => findings)).toEqual([[], [], []]);
  expect(files).toHaveLength(6);
  const before = scenes();
  await session.readAll();
  expect(scenes()).toEqual(before);
  expect(files).toHaveLength(6);
});

test("[V3] accepts nothing whose sounds are still being read, and only what was shown with them", async () => {
  const { session, scenes, heard } = await heldSession({ packages: 1 });
  const seen = () => scenes()[0]?.revision ?? "";
  const key = scenes()[0]?.key ?? "";
  const early = seen();
  await expect(session.accept(key, early)).rejects.toMatchObject({
    status: 409,
    message: "The sounds are still being read. Accept the package after that.",
  });
  expect(await session.diff()).toMatchObject({ layout: "", unread: 1 });
  await heard();
  await expect(session.accept(key, early)).rejects.toThrow("This has just changed.");
  expect(await session.diff()).toMatchObject({ unread: 0 });
  await session.accept(key, seen());
  // What was read is remembered, so the verdict is there at once.
  expect(scenes()[0]?.golden.status).toBe("same");
});

test("[V3][V4] a changed sound shows at once by its header, and alone is read again before it is accepted", async () => {
  const { session, scenes, statuses, files, folders, hold, heard } = await heldSession();
  await heard();
  const [, second = ""] = folders;
  const { key = "", revision = "" } = scenes()[1] ?? {};
  await session.accept(key, revision);
  hold();
  files.length = 0;
  await writeFile(join(second, "sound-2.wav"), smallWav({ frames: 200, fill: 3 }));
  await expect(session.accept(key, revision)).rejects.toThrow("This has just changed.");
  expect(scenes()[1]?.tracks).toMatchObject([{ frames: 100 }, { frames: 200 }]);
  expect(statuses()).toEqual(["missing", "reading", "missing"]);
  await expect(session.accept(key, revision)).rejects.toThrow("This has just changed.");
  await heard();
  expect(statuses()).toEqual(["missing", "differs", "missing"]);
  expect(files).toEqual(["sound-2.wav"]);
});

test("[V18] what the manifest says of a sound changes no verdict's speed, but a loop's new end is heard again", async () => {
  const { session, scenes, files, hold, heard } = await heldSession({ packages: 1 });
  await heard();
  hold();
  files.length = 0;
  const edit = async (field: string, value: FieldChange["value"]) => {
    const { key = "", manifest, tracks } = scenes()[0] ?? {};
    const soundId = tracks?.[0]?.id ?? null;
    const changes = [{ soundId, field, value }];
    await session.edit(key, { revision: manifest?.revision ?? "", changes });
    return scenes()[0];
  };
  const { key = "", revision = "" } = scenes()[0] ?? {};
  await session.accept(key, revision);
  expect((await edit("role", "fx"))?.golden).toMatchObject({
    status: "differs",
    differences: [{ setting: "role", now: "fx" }],
  });
  expect(files).toEqual([]);
  const looped = await edit("kind", "loop");
  expect(looped?.golden.status).toBe("differs");
  expect(looped?.findings).toBeNull();
  await heard();
  expect(scenes()[0]?.revision).toBe(looped?.revision);
  expect(files).toEqual(["sound-1.wav"]);
});

test("[V18] the scene that a page asks for is read next, and shown as soon as it was", async () => {
  const held = await heldSession({ packages: 40, sounds: 1 });
  const { session, scenes, statuses, files, hold, release } = held;
  let shown = 0;
  session.subscribe(() => void (shown += 1));
  const keyOf = (index: number) => scenes()[index]?.key ?? "";
  hold(13);
  await until(() => files.length === 14);
  expect(statuses().filter((status) => status !== "reading")).toHaveLength(12);
  // One that was read but isn't shown yet, one that is being read, and one that waits.
  for (const index of [12, 13, 30]) session.hearFirst(keyOf(index));
  hold(15);
  await until(() => [12, 13, 30].every((index) => statuses()[index] === "missing"));
  release();
  await allHeard(session);
  expect(shown).toBeLessThan(15);
  expect(() => session.hearFirst("no-such-key")).toThrow("There is no such scene.");
});

const asWaiting = (pkg: FolderPackage) => ({ pkg, isUrgent: false });

test("[V18] many packages are shown a few times only while they are heard", async () => {
  const folder = await temporaryFolder();
  const folders = await writeLibrary(folder, { packages: 60, sounds: 1 });
  const packages = await Promise.all(folders.map((folder) => readPackageFolder(folder)));
  const reports: number[] = [];
  const onHeard = async (heard: ReadonlyMap<FolderPackage, unknown>) =>
    void reports.push(heard.size);
  const listener = new SceneListener(onHeard);
  onTestFinished(() => listener[Symbol.asyncDispose]());
  listener.listen(packages.map(asWaiting));
  await until(() => reports.reduce((sum, size) => sum + size, 0) === 60);
  expect(reports.length).toBeLessThan(15);
});

test("[V18] listening stops with the preview, and says what can't be read", async () => {
  const folder = await temporaryFolder();
  const pkg = await readPackageFolder(await writePackage(join(folder, "Kit")));
  const stopped = new SceneListener(() => expect.unreachable());
  stopped.listen([asWaiting(pkg)]);
  await stopped[Symbol.asyncDispose]();
  await writeFile(join(folder, "Kit", "hit.wav"), "no WAV any more");
  const heard = await hearPackage(pkg);
  expect(heard.findings).toEqual([]);
  expect(heard.audio.problems).toMatchObject([{ sound: "1" }]);
});

test("[V18] a file that couldn't be read is read again with its package, not forever", async () => {
  const folder = join(await temporaryFolder(), "Kit");
  const pkg = await readPackageFolder(await writePackage(folder));
  await writeFile(join(folder, "hit.wav"), "no WAV any more");
  const reader = holdingReader();
  let reports = 0;
  const listener = new SceneListener(async () => void (reports += 1), reader.hear);
  onTestFinished(() => listener[Symbol.asyncDispose]());
  listener.listen([asWaiting(pkg)]);
  await until(() => reports === 1);
  expect(await listener.recall(pkg)).toBeUndefined();
  listener.listen([asWaiting(pkg)]);
  await until(() => reports === 2);
  expect(reader.files).toEqual(["hit.wav", "tick.wav", "hit.wav"]);
});
