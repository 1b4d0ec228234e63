import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREVIEW_CALLS } from "../../../core/protocol/preview-api.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { FIXTURES, fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { smallWav } from "../../wav-bytes.ts";
import {
  acceptPath,
  allHeard,
  brief,
  follow,
  library,
  PAGE,
  previewOf,
  readScene,
  renamePackage,
  soundPath,
} from "./preview-at-work.ts";

test("[V1] serves the page to anyone, and the state only with the secret of this start", async () => {
  const preview = await previewOf([fixtureFolder("gains")]);
  expect(preview.url).toBe(`http://127.0.0.1:${preview.port}/#${preview.secret}`);
  const open = { "x-soundferry-secret": undefined };
  expect((await preview.ask({ path: "/", headers: open })).bytes.toString()).toBe(PAGE);
  for (const path of [PREVIEW_CALLS.state, soundPath("k", "s"), "/preview"]) {
    expect((await preview.ask({ path, headers: open })).status).toBe(403);
  }
  const other = await previewOf([fixtureFolder("gains")]);
  const headers = { "x-soundferry-secret": other.secret };
  expect((await preview.ask({ path: PREVIEW_CALLS.state, headers })).status).toBe(403);
});

test("[SEC1] no cache keeps a state, a sound, a difference or a refusal of the preview", async () => {
  const preview = await previewOf([fixtureFolder("one-shot-kit")]);
  const { scenes } = await follow(preview);
  const { key, tracks } = readScene(scenes[0]);
  const paths = [
    "/",
    soundPath(key, tracks[0]?.id ?? ""),
    PREVIEW_CALLS.diffs,
    PREVIEW_CALLS.diff.replace(":key", key),
    "/nothing",
  ];
  const answers = await Promise.all(paths.map((path) => preview.ask({ path })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
  for (const { headers } of answers) expect(headers["cache-control"]).toBe("no-store");
});

test("[V1] shows every package as a scene, with its layout and its sounds' files", async () => {
  const preview = await previewOf([FIXTURES], { startFolder: FIXTURES });
  await allHeard(preview);
  const { scenes, states } = await follow(preview);
  expect(states[0]).toMatchObject({ isWatching: false, trouble: null });
  expect(new Set(scenes.map(({ key }) => key)).size).toBe(scenes.length);
  const kit = readScene(scenes.find(({ folder }) => folder === "one-shot-kit"));
  const golden = JSON.parse(
    await readFile(join(fixtureFolder("one-shot-kit"), "expected/layout.json"), "utf8"),
  );
  const { tracks, warnings } = golden;
  expect(kit).toMatchObject({ name: golden.scene.name, tracks, warnings });
  expect(kit.golden).toEqual({ status: "same", hints: [], problems: [] });
  const [track] = kit.tracks;
  if (track === undefined || "error" in track) throw new Error("not usable");
  const bytes = await readFile(join(fixtureFolder("one-shot-kit"), track.file));
  expect(track).toMatchObject({ bytes: bytes.length, color: "#AF3333" });
  expect(track.frames).toBeGreaterThan(0);
  const basses = readScene(scenes.find(({ folder }) => folder === "bass-lines"));
  for (const one of basses.tracks) expect(one).toMatchObject({ color_index: null, color: null });
});

test("[V1] names a folder relative to where the preview started, or by its full path", async () => {
  const { folder } = await library();
  const namesFrom = async (startFolder: string) => {
    const preview = await previewOf([folder], { startFolder });
    return preview.state.scenes.map((scene) => scene.folder);
  };
  expect(await namesFrom(folder)).toEqual(["A", "B"]);
  expect(await namesFrom(join(folder, "A"))).toEqual([".", join(folder, "B")]);
});

test("[V1] without watching, a reloaded page shows the edits", async () => {
  const { folder, manifestOf } = await library();
  const preview = await previewOf([folder]);
  const first = await follow(preview);
  expect(brief(first.scenes)).toEqual(["A (Looper)", "B (Looper)"]);
  await renamePackage(manifestOf("A"), "A2");
  await writeLocalPackage(join(folder, "C"), "C", ["Kick"]);
  const second = await follow(preview);
  await second.sees((scenes) => brief(scenes)[0] === "A2 (Looper)");
  // Other pages see what one page's reload made the server read.
  await first.sees((scenes) => scenes.length === 3);
  expect(first.scenes[0]?.key).toBe(second.states[0]?.scenes[0]?.key);
});

test("[V2] shows why something can't be read, and the rest", async () => {
  const { folder, manifestOf } = await library();
  await writeFile(manifestOf("A"), "{");
  await writeFile(join(folder, "B", "Kick.wav"), "no sound");
  const missing = join(folder, "Nowhere");
  const preview = await previewOf([folder, missing, fixtureFolder("gains")]);
  const { scenes } = preview.state;
  expect(brief(scenes)).toEqual([
    "manifest.json isn't valid JSON (line 1, column 2).",
    "B (Looper)",
    expect.stringContaining("There is no folder"),
    "Mind the Gain (Faders)",
  ]);
  const { tracks } = readScene(scenes[1]);
  expect(tracks).toEqual([
    {
      id: expect.any(String),
      track: expect.any(String),
      clip: expect.any(String),
      kind: "oneshot",
      file: "Kick.wav",
      fields: { name: "Kick", kind: "oneshot" },
      line: 1,
      error: expect.stringContaining("not a WAV"),
    },
  ]);
});

test("[V1] a sound's bytes are those of its file", async () => {
  const preview = await previewOf([fixtureFolder("local-with-broken-sounds")]);
  const scene = readScene(preview.state.scenes[0]);
  for (const track of scene.tracks) {
    const answer = await preview.ask({ path: soundPath(scene.key, encodeURIComponent(track.id)) });
    if ("error" in track) {
      expect(answer).toMatchObject({ status: 404, json: { error: track.error } });
      continue;
    }
    const file = await readFile(join(fixtureFolder("local-with-broken-sounds"), track.file));
    expect(answer.headers).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(file.length),
    });
    expect(answer.bytes.equals(file)).toBe(true);
  }
  expect(scene.tracks.some((track) => !("error" in track))).toBe(true);
});

test("[V1] no address leads to another file than a package's own WAVs", async () => {
  const { folder } = await library();
  const secret = join(folder, "secret.wav");
  await writeFile(secret, smallWav());
  await rm(join(folder, "A", "Kick.wav"));
  await symlink(secret, join(folder, "A", "Kick.wav"));
  const preview = await previewOf([folder]);
  const [a, b] = preview.state.scenes.map(readScene);
  if (a === undefined || b === undefined) throw new Error("not read");
  const [own] = b.tracks;
  expect(a.tracks[0]).toMatchObject({ error: expect.stringContaining("outside") });
  const tricks = [
    [a.key, a.tracks[0]?.id],
    [b.key, "../secret"],
    [b.key, "../secret.wav"],
    [b.key, "Kick.wav"],
    [b.key, "manifest.json"],
    [b.key, secret],
    [b.key, `${own?.id}\0`],
    [b.key, "__proto__"],
    ["..", own?.id],
    [`../${b.key}`, own?.id],
    [folder, own?.id],
    ["constructor", own?.id],
  ];
  for (const [key = "", soundId = ""] of tricks) {
    const path = soundPath(encodeURIComponent(key), encodeURIComponent(soundId));
    expect.soft((await preview.ask({ path })).status, path).toBe(404);
  }
  expect((await preview.ask({ path: soundPath(b.key, own?.id ?? "") })).status).toBe(200);
  // It was a file when it was listed.
  await rm(join(folder, "B", "Kick.wav"));
  await symlink(secret, join(folder, "B", "Kick.wav"));
  const late = await preview.ask({ path: soundPath(b.key, own?.id ?? "") });
  expect(late).toMatchObject({ status: 404, json: { error: expect.stringContaining("outside") } });
});

test("[V1] refuses every call from other web pages and host names", async () => {
  const { folder } = await library();
  const preview = await previewOf([join(folder, "A")]);
  const { key, revision } = readScene(preview.state.scenes[0]);
  const hostile = [
    { host: "evil.example" },
    { host: `evil.example:${preview.port}` },
    { origin: "https://evil.example" },
    { origin: `http://127.0.0.1:${preview.port + 1}` },
    { origin: "null", "x-soundferry-secret": undefined },
  ];
  for (const headers of hostile) {
    const told = await preview.ask({ path: PREVIEW_CALLS.state, headers });
    const body = { revision };
    const accepted = await preview.ask({ method: "POST", path: acceptPath(key), headers, body });
    expect.soft([told.status, accepted.status], JSON.stringify(headers)).toEqual([403, 403]);
  }
  await preview.ask({ path: "/", headers: { host: "evil.example" } }).then(({ status }) => {
    expect(status).toBe(403);
  });
  await expect(readFile(join(folder, "A", "expected/layout.json"))).rejects.toThrow("ENOENT");
});
