import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREVIEW_CALLS, type PreviewScene } from "../../../core/protocol/preview-api.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { follow, previewOf, readScene } from "./preview-at-work.ts";

const MANIFEST = `\uFEFF{\r
  "schema": "app2host/1",\r
  "title": "Kit",\r
  "mine": { "a":1 },\r
  "items": [\r
    { "file": "a.wav",   "name": "Amen", "kind": "loop", "bpm": 120 },\r
    { "file": "b.wav", "gain_db": 99 }\r
  ]\r
}`;

/** A preview of one package with this manifest, and an edit of it as a page would send it. */
async function kit(text: string | Uint8Array = MANIFEST) {
  const folder = join(await temporaryFolder(), "Kit");
  await mkdir(folder);
  for (const name of ["a.wav", "b.wav"]) await writeFile(join(folder, name), smallWav());
  const path = join(folder, "manifest.json");
  await writeFile(path, text);
  const preview = await previewOf([folder]);
  const page = await follow(preview);
  const shown = () => {
    const [scene] = page.scenes;
    const manifest = scene?.manifest ?? undefined;
    if (scene === undefined || manifest === undefined) throw new Error("There is no manifest.");
    return { scene, manifest };
  };
  const { key } = shown().scene;
  const call = PREVIEW_CALLS.manifest.replace(":key", key);
  const send = (body: object) => preview.ask({ method: "PATCH", path: call, body });
  const edit = (field: string, value: unknown, soundId: string | null = null) =>
    send({ revision: shown().manifest.revision, changes: [{ soundId, field, value }] });
  return { folder, path, preview, page, shown, send, edit, onDisk: () => readFile(path, "utf8") };
}

const refused = (status: number, words: string) => ({
  status,
  json: { error: expect.stringContaining(words) },
});

function faultsOf(scene: PreviewScene | undefined) {
  return scene?.manifest?.faults.map(({ soundId, field, place }) => [soundId, field, place?.line]);
}

test("[V16] writes fields back, and every other byte stays", async () => {
  const { page, edit, onDisk, shown } = await kit();
  expect(shown().manifest.fields).toEqual({ title: "Kit" });
  expect(readScene(shown().scene).tracks[0]?.fields).toEqual({
    name: "Amen",
    kind: "loop",
    bpm: 120,
  });
  expect(await edit("bpm", 174, "1")).toMatchObject({ status: 200 });
  await page.sees(([scene]) => readScene(scene).tracks[0]?.fields["bpm"] === 174);
  const once = MANIFEST.replace("120", "174");
  expect(await onDisk()).toBe(once);
  expect(await edit("tempo.bpm", 90)).toMatchObject({ status: 200 });
  await page.sees(([scene]) => readScene(scene).tempoBpm === 90);
  expect(await edit("tempo.bpm", null)).toMatchObject({ status: 200 });
  await page.sees(([scene]) => readScene(scene).tempoBpm === null);
  expect(await onDisk()).toBe(once);
  expect(shown().manifest.isChanged).toBe(true);
  expect(await edit("bpm", 120, "1")).toMatchObject({ status: 200 });
  await page.sees(([scene]) => scene?.manifest?.isChanged === false);
  expect(await onDisk()).toBe(MANIFEST);
});

test("[V16] keeps the file's permissions, and leaves nothing behind", async () => {
  const { folder, path, edit } = await kit();
  await chmod(path, 0o640);
  expect(await edit("title", "Other")).toMatchObject({ status: 200 });
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect((await readdir(folder)).toSorted()).toEqual(["a.wav", "b.wav", "manifest.json"]);
});

test("[V16] tells the new revision, so that edits can follow each other", async () => {
  const { send, shown, onDisk } = await kit();
  const title = (value: string) => [{ soundId: null, field: "title", value }];
  const first = await send({ revision: shown().manifest.revision, changes: title("One") });
  expect(first).toMatchObject({ status: 200, json: { revision: expect.any(String) } });
  const { revision } = first.json as { readonly revision: string };
  expect(await send({ revision, changes: title("Two") })).toMatchObject({ status: 200 });
  expect(await onDisk()).toBe(MANIFEST.replace("Kit", "Two"));
});

test("[V16] refuses what the strict rules refuse, and writes nothing", async () => {
  const { edit, send, shown, onDisk } = await kit();
  expect(await edit("bpm", 5, "1")).toMatchObject(
    refused(400, "bpm must be a number from 20 to 999."),
  );
  expect(await edit("bpm", "fast", "1")).toMatchObject(refused(400, "bpm must be a number"));
  expect(await edit("bpm", 120, "2")).toMatchObject(refused(400, "bpm only applies to a loop."));
  expect(await edit("kind", "oneshot", "1")).toMatchObject(refused(400, "Remove it first."));
  expect(await edit("name", "a\u0007b", "1")).toMatchObject(refused(400, "name "));
  expect(await edit("name", "x".repeat(41), "1")).toMatchObject(refused(400, "at most 40"));
  expect(await edit("color", "red", "1")).toMatchObject(refused(400, "#RRGGBB"));
  expect(await edit("gain_db", 98, "2")).toMatchObject(refused(400, "gain_db must be"));
  expect(await edit("tempo.time_signature", [3, 0])).toMatchObject(refused(400, "time_signature"));
  for (const field of "file id sha256 mine schema items __proto__ source.x".split(" ")) {
    expect(await edit(field, "x", "1"), field).toMatchObject(refused(400, "can't be edited"));
    expect(await edit(field, "x"), field).toMatchObject(refused(400, "can't be edited"));
  }
  expect(await edit("name", "x", "9")).toMatchObject(refused(400, "no such sound"));
  expect(await edit("name", { a: 1 }, "1")).toMatchObject(refused(400, "must be text"));
  const { revision } = shown().manifest;
  const good = { soundId: null, field: "title", value: "Good" };
  const bad = { soundId: "1", field: "bpm", value: 5 };
  expect(await send({ revision, changes: [good, bad] })).toMatchObject({ status: 400 });
  for (const body of [{}, { revision }, { revision, changes: [{}] }, { revision, changes: [7] }]) {
    expect(await send(body)).toMatchObject({ status: 400 });
  }
  expect(await onDisk()).toBe(MANIFEST);
});

test("[V16] faults that were there before don't matter, and can be corrected", async () => {
  const { page, edit, shown } = await kit();
  expect(faultsOf(shown().scene)).toEqual([
    [null, "mine", 4],
    ["2", "gain_db", 7],
  ]);
  expect(await edit("title", "New")).toMatchObject({ status: 200 });
  await page.sees(([scene]) => readScene(scene).name.startsWith("New"));
  expect(await edit("gain_db", 0, "2")).toMatchObject({ status: 200 });
  await page.sees(([scene]) => scene?.manifest?.faults.length === 1);
});

test("[V16] changes nothing when the file has changed on disk", async () => {
  const { page, path, edit, onDisk } = await kit();
  const other = MANIFEST.replace("Kit", "Other");
  await writeFile(path, other);
  expect(await edit("bpm", 174, "1")).toMatchObject(refused(409, "has just changed on disk"));
  expect(await onDisk()).toBe(other);
  // Once the page shows what has changed, an edit works.
  await page.sees(([scene]) => readScene(scene).name.startsWith("Other"));
  expect(await edit("bpm", 174, "1")).toMatchObject({ status: 200 });
  await rename(path, `${path}.bak`);
  expect(await edit("bpm", 120, "1")).toMatchObject({ status: 409 });
});

test("[V16] of two edits at once from one page, the second is refused", async () => {
  const { edit, onDisk } = await kit();
  const answers = await Promise.all([edit("title", "One"), edit("title", "Two")]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await onDisk()).toBe(MANIFEST.replace("Kit", answers[0]?.status === 200 ? "One" : "Two"));
});

test("[V16] writes nothing outside the package's folder, also through a link", async () => {
  const { folder, path, page, edit } = await kit();
  const outside = join(folder, "..", "outside.json");
  await rename(path, outside);
  await symlink(outside, path);
  expect(await edit("title", "New")).toMatchObject({ status: 409 });
  expect(await readFile(outside, "utf8")).toBe(MANIFEST);
  // A link within the folder is written through.
  const inside = join(folder, "real.json");
  await rm(path);
  await rename(outside, inside);
  await symlink(inside, path);
  await follow(await previewOf([folder]));
  const other = await previewOf([folder]);
  const [scene] = other.state.scenes;
  const body = {
    revision: scene?.manifest?.revision,
    changes: [{ soundId: null, field: "title", value: "New" }],
  };
  const call = PREVIEW_CALLS.manifest.replace(":key", scene?.key ?? "");
  expect(await other.ask({ method: "PATCH", path: call, body })).toMatchObject({ status: 200 });
  expect(await readFile(inside, "utf8")).toBe(MANIFEST.replace("Kit", "New"));
  expect(page.states.length).toBeGreaterThan(0);
});

test("[V16] edits neither a broken manifest nor one that isn't UTF-8", async () => {
  const broken = await kit(MANIFEST.replace("app2host", "mine"));
  expect(broken.shown().manifest.fixedBecause).toContain("can't be edited here");
  expect(await broken.edit("title", "New")).toMatchObject(refused(409, "text editor"));
  const latin1 = await kit(
    Buffer.from(MANIFEST.replace("\uFEFF", "").replace("Kit", "K\u00EFt"), "latin1"),
  );
  expect(latin1.shown().manifest.fixedBecause).toContain("UTF-8");
  expect(await latin1.edit("title", "New")).toMatchObject(refused(409, "UTF-8"));
});

test("[V16] refuses edits without this start's secret", async () => {
  const { preview, shown, onDisk } = await kit();
  const call = PREVIEW_CALLS.manifest.replace(":key", shown().scene.key);
  const body = { revision: shown().manifest.revision, changes: [] };
  const headers = { "x-soundferry-secret": undefined };
  for (const path of [PREVIEW_CALLS.diffs, PREVIEW_CALLS.diff.replace(":key", shown().scene.key)]) {
    expect(await preview.ask({ path, headers })).toMatchObject({ status: 403 });
  }
  expect(await preview.ask({ method: "PATCH", path: call, headers, body })).toMatchObject({
    status: 403,
  });
  expect(
    await preview.ask({ method: "PATCH", path: call.replace(/scenes\/[^/]+/, "scenes/x"), body }),
  ).toMatchObject({
    status: 404,
  });
  expect(await onDisk()).toBe(MANIFEST);
});

test("[V15] shows the faults of a file that is broken, with their places", async () => {
  const { shown } = await kit(MANIFEST.replace('"Kit",', '"Kit"'));
  expect(shown().scene).toMatchObject({
    error: "manifest.json isn't valid JSON (line 4, column 3).",
  });
  expect(shown().manifest.faults).toMatchObject([
    {
      isError: true,
      place: { line: 4, column: 3, text: '"mine"', before: "", after: ': { "a":1 },' },
    },
  ]);
});

test("[V15] shows a sound that can't be used at its file's name", async () => {
  const { folder, preview } = await kit();
  await rm(join(folder, "b.wav"));
  const page = await follow(preview);
  await page.sees(([scene]) => faultsOf(scene)?.length === 3);
  expect(faultsOf(page.scenes[0])).toContainEqual(["2", "file", 7]);
});
