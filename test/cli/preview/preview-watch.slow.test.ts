import { mkdir, open, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { acceptPath, brief, follow, previewOf, readScene } from "./preview-at-work.ts";

/** A watched library with the packages A and B, and a page that follows it. */
async function watched() {
  const folder = await temporaryFolder();
  const library = join(folder, "library");
  const put = (name: string, title = name) =>
    writeLocalPackage(join(library, name), title, ["Kick"]);
  for (const name of ["A", "B"]) await put(name);
  const preview = await previewOf([library], { isWatching: true });
  const page = await follow(preview);
  const sees = (...names: readonly string[]) =>
    page.sees((scenes) => isSame(brief(scenes), names.map(titled)));
  return { folder, library, preview, page, put, sees };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A scene's name for a title; sentences stay unchanged. */
function titled(name: string): string {
  return name.endsWith(".") ? name : `${name} (Looper)`;
}

async function manifestWith(path: string, title: string): Promise<string> {
  return JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), title });
}

function framesOf(scene: PreviewScene | undefined): unknown {
  const [track] = readScene(scene).tracks;
  return track !== undefined && "frames" in track ? track.frames : undefined;
}

test("[V4] notices a manifest saved in place, and one renamed over it", async () => {
  const { library, sees } = await watched();
  const manifest = join(library, "A", "manifest.json");
  await writeFile(manifest, await manifestWith(manifest, "In place"));
  await sees("In place", "B");
  for (const title of ["First", "Second", "Third"]) {
    const beside = join(library, "A", "manifest.json.tmp");
    await writeFile(beside, await manifestWith(manifest, title));
    await rename(beside, manifest);
    await sees(title, "B");
  }
  // Some editors move the old file away and put a new one in its place.
  const text = await manifestWith(manifest, "Put aside");
  await rename(manifest, `${manifest}~`);
  await writeFile(manifest, text);
  await unlink(`${manifest}~`);
  await sees("Put aside", "B");
});

test("[V4] shows a broken manifest's error until it is fixed", async () => {
  const { library, page, sees } = await watched();
  const { key } = page.scenes[0] ?? {};
  const manifest = join(library, "A", "manifest.json");
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, `{}\n${text}`);
  await sees("manifest.json isn't valid JSON (line 2, column 1).", "B");
  await writeFile(manifest, text);
  await sees("A", "B");
  expect(page.scenes[0]?.key).toBe(key);
});

test("[V4] shows the final state of a WAV that is written in pieces", async () => {
  const { library, page } = await watched();
  const wav = smallWav({ frames: 50_000, channels: 2 });
  const file = await open(join(library, "A", "Kick.wav"), "w");
  for (let at = 0; at < wav.length; at += 10_000) {
    await file.write(wav.subarray(at, at + 10_000));
    // The server is asked meanwhile what it sees.
    await setImmediate();
  }
  await page.sees(([scene]) => readScene(scene).name === "A (Looper)");
  await file.close();
  await page.sees(([scene]) => framesOf(scene) === 50_000);
});

test("[V4] shows the error of an unfinished WAV, then what replaces it", async () => {
  const { library, page } = await watched();
  const path = join(library, "A", "Kick.wav");
  await writeFile(path, smallWav({ frames: 5000 }).subarray(0, 2000));
  await page.sees(([scene]) => "error" in (readScene(scene).tracks[0] ?? {}));
  await unlink(path);
  await page.sees(([scene]) =>
    JSON.stringify(readScene(scene).tracks[0]).includes("not in the package"),
  );
  await writeFile(path, smallWav({ frames: 7 }));
  await page.sees(([scene]) => framesOf(scene) === 7);
});

test("[V4] notices a golden that is edited, removed or accepted elsewhere", async () => {
  const { library, preview, page } = await watched();
  const seesGolden = (status: string) =>
    page.sees(([scene]) => readScene(scene).golden.status === status);
  await seesGolden("missing");
  const { key, revision } = readScene(page.scenes[0]);
  await preview.ask({ method: "POST", path: acceptPath(key), body: { revision } });
  await seesGolden("same");
  const golden = join(library, "A", "expected", "layout.json");
  const audio = join(library, "A", "expected", "audio.json");
  const [text, heard] = [await readFile(golden, "utf8"), await readFile(audio, "utf8")];
  await writeFile(golden, text.replace('"A (Looper)"', '"Z (Looper)"'));
  await seesGolden("differs");
  await rm(join(library, "A", "expected"), { recursive: true });
  await seesGolden("missing");
  await mkdir(join(library, "A", "expected"));
  await writeFile(golden, text);
  await seesGolden("missing");
  await writeFile(audio, heard);
  await seesGolden("same");
  await writeFile(join(library, "A", "Kick.wav"), smallWav({ fill: 3 }));
  await seesGolden("differs");
});

test("[V4] notices packages that are added and removed, also deep in a library", async () => {
  const { folder, library, page, put, sees } = await watched();
  const { key } = page.scenes[0] ?? {};
  await put("C");
  await sees("A", "B", "C");
  await put("Drums/Old/0", "Deep");
  await sees("A", "B", "C", "Deep");
  await rename(join(library, "Drums"), join(folder, "Drums"));
  await sees("A", "B", "C");
  await rename(join(library, "A"), join(folder, "A"));
  await sees("B", "C");
  await rename(join(folder, "A"), join(library, "A"));
  await rename(join(folder, "Drums"), join(library, "Drums"));
  await sees("A", "B", "C", "Deep");
  expect(page.scenes[0]?.key).toBe(key);
  await put("Drums/Old/0", "Deeper");
  await sees("A", "B", "C", "Deeper");
  await rm(join(library, "B"), { recursive: true });
  await sees("A", "C", "Deeper");
  await unlink(join(library, "C", "manifest.json"));
  await sees("A", "Deeper");
});

test("[V4] notices when a given folder is removed and comes back", async () => {
  const folder = await temporaryFolder();
  const kit = await writeLocalPackage(join(folder, "Kit"), "Kit", ["Kick"]);
  const page = await follow(await previewOf([kit], { isWatching: true }));
  for (const title of ["Again", "And again"]) {
    await rename(kit, join(folder, "Away"));
    await page.sees(([scene]) => scene !== undefined && "error" in scene);
    await rename(join(folder, "Away"), kit);
    await page.sees((scenes) => !("error" in (scenes[0] ?? { error: "" })));
    await writeLocalPackage(kit, title, ["Kick"]);
    await page.sees(([scene]) => brief(scene === undefined ? [] : [scene])[0] === titled(title));
  }
});

test("[V4] waits for a folder that does not exist yet", async () => {
  const folder = await temporaryFolder();
  const kit = join(folder, "not", "yet", "Kit");
  const page = await follow(await previewOf([kit], { isWatching: true }));
  expect(page.scenes).toMatchObject([{ error: expect.stringContaining("There is no folder") }]);
  await writeLocalPackage(kit, "Kit", ["Kick"]);
  await page.sees((scenes) => brief(scenes)[0] === "Kit (Looper)");
});

test("[V4] sends many edits in few lines, and none is lost", async () => {
  const folder = await temporaryFolder();
  const count = 200;
  const put = (each: number, title: string) =>
    writeLocalPackage(join(folder, String(each)), title, ["Kick"]);
  for (let each = 0; each < count; each++) await put(each, "Before");
  const page = await follow(await previewOf([folder], { isWatching: true }));
  for (let each = 0; each < count; each++) await put(each, "After");
  await page.sees((scenes) => brief(scenes).every((name) => name === "After (Looper)"));
  expect(page.scenes).toHaveLength(count);
  expect(page.states.length).toBeLessThan(count / 2);
});
