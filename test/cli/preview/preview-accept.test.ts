import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import {
  acceptPath,
  allHeard,
  follow,
  library,
  previewOf,
  readScene,
  renamePackage,
} from "./preview-at-work.ts";

test("[V3] accepts a layout as it was seen, and tells the page", async () => {
  const { folder } = await library();
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const page = await follow(preview);
  const { key, revision, golden } = readScene(page.scenes[0]);
  expect(golden).toMatchObject({ status: "missing" });
  const accept = { method: "POST", path: acceptPath(key) };
  expect(await preview.ask({ ...accept, body: { revision } })).toMatchObject({ status: 200 });
  await page.sees(([scene]) => readScene(scene).golden.status === "same");
  const written = JSON.parse(await readFile(join(folder, "A", "expected/layout.json"), "utf8"));
  expect(written.scene.name).toBe("A (Looper)");
  expect(readScene(page.scenes[1]).golden).toMatchObject({ status: "missing" });
});

test("[V3] does not accept a changed package, or over a changed golden", async () => {
  const { folder, manifestOf } = await library();
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const page = await follow(preview);
  const { key, revision } = readScene(page.scenes[0]);
  const accept = (seen: unknown) =>
    preview.ask({ method: "POST", path: acceptPath(key), body: { revision: seen } });
  const refused = { status: 409, json: { error: expect.stringContaining("has just changed") } };
  await renamePackage(manifestOf("A"), "Other");
  expect(await accept(revision)).toMatchObject(refused);
  const golden = join(folder, "A", "expected", "layout.json");
  await expect(readFile(golden)).rejects.toThrow("ENOENT");
  // The page shows why, and the user can accept what it now shows.
  await page.sees(([scene]) => readScene(scene).name === "Other (Looper)");
  const now = readScene(page.scenes[0]).revision;
  await mkdir(join(folder, "A", "expected"));
  await writeFile(golden, "{}");
  expect(await accept(now)).toMatchObject(refused);
  expect(await readFile(golden, "utf8")).toBe("{}");
  await page.sees(([scene]) => readScene(scene).golden.status === "unreadable");
  expect(await accept(readScene(page.scenes[0]).revision)).toMatchObject({ status: 200 });
  expect(await accept(12)).toMatchObject({ status: 400 });
});

test("[V3] does not accept what it can't read", async () => {
  const { folder, manifestOf } = await library();
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const { key, revision } = readScene(preview.state.scenes[0]);
  await writeFile(manifestOf("A"), "{");
  const body = { revision };
  expect(await preview.ask({ method: "POST", path: acceptPath(key), body })).toMatchObject({
    status: 409,
    json: { error: "manifest.json isn't valid JSON (line 1, column 2)." },
  });
  const other = await preview.ask({ method: "POST", path: acceptPath("no-such-key"), body });
  expect(other.status).toBe(404);
});

test("[V3][B7] does not accept a missing file or a pointer, and says why", async () => {
  const { folder } = await library();
  const file = join(folder, "A", "Kick.wav");
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const page = await follow(preview);
  const { key, tracks } = readScene(page.scenes[0]);
  expect(tracks).toMatchObject([{ file: "Kick.wav" }]);
  const attempt = async (error: string) => {
    const refused = { status: 409, json: { error } };
    // The first call shows the page what has changed.
    for (let calls = 0; calls < 2; calls += 1) {
      const { revision } = readScene(preview.state.scenes[0]);
      const answer = await preview.ask({
        method: "POST",
        path: acceptPath(key),
        body: { revision },
      });
      if (calls > 0) expect(answer).toMatchObject(refused);
    }
    expect(readScene(preview.state.scenes[0]).golden).toMatchObject({
      problems: [{ text: error }],
    });
    await expect(readFile(join(folder, "A", "expected/layout.json"))).rejects.toThrow("ENOENT");
  };
  await writeFile(file, "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 1\n");
  await attempt("Kick: Kick.wav is a Git LFS pointer: run git lfs pull.");
  await rm(file);
  await attempt("Kick: Kick.wav is not in the package's folder.");
});

test("[V7][B6] shows when a sound's audio isn't the accepted one", async () => {
  const { folder } = await library();
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const { key, revision } = readScene(preview.state.scenes[0]);
  await preview.ask({ method: "POST", path: acceptPath(key), body: { revision } });
  await writeFile(join(folder, "A", "Kick.wav"), smallWav({ fill: 3 }));
  const page = await follow(preview);
  await page.sees(([scene]) => readScene(scene).golden.status === "differs");
  expect(readScene(page.scenes[0]).golden).toMatchObject({
    differences: expect.arrayContaining([expect.objectContaining({ setting: "audio" })]),
    problems: [],
  });
});

test("[V3] tells the page why a golden can't be written", async () => {
  const { folder } = await library();
  await writeFile(join(folder, "A", "expected"), "in the way");
  const preview = await previewOf([folder]);
  await allHeard(preview);
  const { key, revision } = readScene(preview.state.scenes[0]);
  const accept = { method: "POST", path: acceptPath(key), body: { revision } };
  expect(await preview.ask(accept)).toMatchObject({
    status: 409,
    json: { error: "expected/layout.json can't be written." },
  });
});
