import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type HostJournal, LeftBehindError, type PlaceRequest } from "../../../addon/hosts/host.ts";
import { liveSetPath } from "../../../addon/hosts/live-set/live-set-file.ts";
import { LiveSetHost } from "../../../addon/hosts/live-set/live-set-host.ts";
import { readLiveSet, readSetFile } from "../../../addon/hosts/live-set/read-live-set.ts";
import { compareSettings } from "../../../core/report/compare-settings.ts";
import type { Layout, TrackPlan } from "../../../core/layout/layout.ts";
import { crc16 } from "../../../core/live-set/crc16.ts";
import { childrenAt, descend, numberAt, valueAt } from "../../../core/live-set/set-element.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
  testHostContract,
  withoutJournal,
} from "../../contracts/host/host-contract.ts";
import { clipsIn } from "../../core/live-set/made-set.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { filesIn, LOOP_WAV, withFiles } from "./with-files.ts";

const UNTRIED = "In a Live Set file: experimental, not yet opened in a real Live.";

async function setUp() {
  const folder = join(await realpath(await temporaryFolder()), "Kit");
  await mkdir(folder);
  const path = join(folder, "Kit Project", "Kit.als");
  const look = async () => {
    if (!(await readdir(folder)).includes("Kit Project")) return { scenes: [], tracks: [] };
    const set = await readSetFile(path);
    const scenes = childrenAt(set, "LiveSet", "Scenes").map(
      (scene) => valueAt(scene, "Name") ?? "",
    );
    const tracks = childrenAt(set, "LiveSet", "Tracks");
    return { scenes, tracks: tracks.map((track) => valueAt(track, "Name", "UserName") ?? "") };
  };
  return { folder, path, look };
}

/** A request with a WAV in the folder for each sound. */
async function requestIn(folder: string, layout: Layout, more: Partial<PlaceRequest> = {}) {
  return { ...(await placeRequest(layout, more)), files: await filesIn(folder, layout) };
}

/** A request whose steps act as `step` says. */
async function spoiledRequest(folder: string, step: (journal: HostJournal) => HostJournal["step"]) {
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]));
  const { journal } = request;
  const spoiled = { runId: journal.runId, earlier: [], together: withoutJournal };
  return { ...request, journal: { ...spoiled, step: step(journal) } };
}

describe("the host of Live Set files", () =>
  testHostContract(async () => {
    const { folder, look } = await setUp();
    return { host: withFiles(new LiveSetHost(), folder), look, replaces: true };
  }));

test("[LS8] the project lies in the package's folder, and no sound is there twice", async () => {
  const { folder, path } = await setUp();
  await new LiveSetHost().place(await requestIn(folder, layoutOf([LOOP, ONE_SHOT])));
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
    "0.wav",
    "1.wav",
    "Kit Project",
    join("Kit Project", "Ableton Project Info"),
    join("Kit Project", "Kit.als"),
  ]);
  expect(liveSetPath(folder)).toBe(path);
});

test("[LS7][LS8] the Set refers to the importer's own files, with their true properties", async () => {
  const { folder, path } = await setUp();
  await new LiveSetHost().place(await requestIn(folder, layoutOf([LOOP])));
  const [only] = clipsIn(await readSetFile(path));
  const sample = descend(only?.clip, "SampleRef");
  const file = descend(sample, "FileRef");
  expect(["RelativePathType", "RelativePath", "Path"].map((name) => valueAt(file, name))).toEqual([
    "1",
    "../0.wav",
    join(folder, "0.wav").replaceAll("\\", "/"),
  ]);
  const { size, mtimeMs } = await stat(join(folder, "0.wav"));
  expect(numberAt(file, "OriginalFileSize")).toBe(size);
  expect(numberAt(file, "OriginalCrc")).toBe(crc16(LOOP_WAV));
  expect(numberAt(sample, "LastModDate")).toBe(Math.floor(mtimeMs / 1000));
});

test("[LS1][LS9] the file is compressed without name and time, and the same package gives the same bytes", async () => {
  const { folder, path } = await setUp();
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]));
  await new LiveSetHost().place(request);
  const bytes = await readFile(path);
  expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, expect.anything(), 3]);
  expect(gunzipSync(bytes).toString("utf8")).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Ableton /,
  );
  await new LiveSetHost().place(request);
  expect(await readFile(path)).toEqual(bytes);
});

test.each([["x".repeat(255)], ["ü".repeat(127)]])(
  "[LS8] a folder with the longest of names has room for the project's endings: %s",
  (name) => {
    const path = liveSetPath(`/sounds/${name}`);
    const [set, project] = [path, dirname(path)].map((one) => one.slice(one.lastIndexOf("/") + 1));
    expect(project).toMatch(/[xü] Project$/);
    expect(set).toBe(`${project?.slice(0, -" Project".length)}.als`);
    expect(Buffer.byteLength(`${set}.new`)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(project ?? "")).toBeLessThanOrEqual(255);
  },
);

test("[LS10][S7] what the Set holds is read back: nothing differs where a Set can say it", async () => {
  const { folder } = await setUp();
  const odd: TrackPlan = { ...LOOP, soundId: "odd", tempoBpm: 123.456_789, loopEndBeats: 11.4 };
  const loud: TrackPlan = { ...LOOP, soundId: "loud", gainDb: 24, warpMode: "complex_pro" };
  const quiet: TrackPlan = { ...ONE_SHOT, soundId: "quiet", gainDb: -70, colorIndex: 69 };
  const numbered: TrackPlan = { ...ONE_SHOT, soundId: "numbered", trackName: "#1 (Looper)" };
  const plans = [LOOP, ONE_SHOT, odd, loud, quiet, numbered, GUESSED];
  const placed = await new LiveSetHost().place(await requestIn(folder, layoutOf(plans)));
  for (const [index, plan] of plans.entries()) {
    const sound = placed[index];
    if (sound === undefined || !("holds" in sound)) throw new Error("It was not placed.");
    expect(Object.keys(sound.holds)).toHaveLength(plan.warping ? 13 : 11);
    expect(compareSettings(plan, sound.holds)).toEqual([]);
    expect(sound.notes[0]).toBe(UNTRIED);
    expect(sound.notes).toHaveLength(plan === GUESSED ? 2 : 1);
  }
});

test("[LS10] what another program changed in the Set is reported, whatever its last marker", async () => {
  const { folder, path } = await setUp();
  const request = await spoiledRequest(folder, (journal) => async (label, act) => {
    const outcome = await journal.step(label, act);
    if (!label.startsWith("write")) return outcome;
    const text = gunzipSync(await readFile(path)).toString("utf8");
    const hidden = /<WarpMarker Id="2" [^>]*>\n\s*/;
    const changed = text
      .replace(hidden, "")
      .replace('<LoopOn Value="true"', '<LoopOn Value="false"')
      .replace('<RelativePath Value="../0.wav"', '<RelativePath Value="../1.wav"');
    await writeFile(path, gzipSync(changed));
    return outcome;
  });
  const [loop, shot] = await new LiveSetHost().place(request);
  if (loop === undefined || !("holds" in loop)) throw new Error("It was not placed.");
  expect(compareSettings(LOOP, loop.holds)).toEqual([
    { setting: "file", asked: "0.wav", got: "1.wav" },
    { setting: "looping", asked: true, got: false },
    { setting: "loop_beats", asked: 16, got: null },
  ]);
  expect(shot).toMatchObject({ notes: [UNTRIED] });
});

test("[LS9][R1] reports a sound whose file can't be used, and includes the others", async () => {
  const { folder, look, path } = await setUp();
  const named = (soundId: string) => ({
    ...ONE_SHOT,
    soundId,
    clipName: soundId,
    trackName: soundId,
  });
  const layout = layoutOf([LOOP, ...["lost", "broken", "integers"].map(named), GUESSED]);
  const request = await requestIn(folder, layout);
  await rm(join(folder, "1.wav"));
  await writeFile(join(folder, "2.wav"), "no WAV");
  await writeFile(join(folder, "3.wav"), smallWav({ frames: 8, bits: 32 }));
  const placed = await new LiveSetHost().place(request);
  expect(placed.map((sound) => "error" in sound && sound.error)).toEqual([
    false,
    "Tested couldn't put lost into the file: 1.wav can't be read.",
    expect.stringMatching(/^Tested couldn't put broken into the file: 2\.wav/),
    "Tested couldn't put integers into the file: 3.wav has 32-bit integers, which Live refuses. Export it with 24 bits.",
    false,
  ]);
  expect((await look()).tracks).toEqual(["Beat (Looper)", "Pad (Looper)"]);
  expect((await readLiveSet(path)).map(({ clip }) => clip.clipName)).toEqual(["Beat", "Pad"]);
});

test("[LS9] without a sound that can be used, nothing is written", async () => {
  const { folder } = await setUp();
  const request = await requestIn(folder, layoutOf([LOOP]));
  await rm(join(folder, "0.wav"));
  const placed = await new LiveSetHost().place(request);
  expect(placed).toMatchObject([{ error: expect.stringMatching(/can't be read/) }]);
  expect(await readdir(folder)).toEqual([]);
});

test("[LS9] a cancelled import leaves the older Set as it was", async () => {
  const { folder, path } = await setUp();
  await new LiveSetHost().place(await requestIn(folder, layoutOf([LOOP])));
  const before = await readFile(path);
  const callOff = new AbortController();
  const more = { signal: callOff.signal, onProgress: () => callOff.abort(new Error("called off")) };
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]), more);
  await expect(new LiveSetHost().place(request)).rejects.toThrow("called off");
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(dirname(path))).toEqual(["Ableton Project Info", "Kit.als"]);
});

test.each([
  ["a folder", "Kit.als can't be replaced: it is a folder."],
  ["a file", "Something else is called Kit Project."],
  ["a link", "Something else is called Kit Project."],
])(
  "[LS9] nothing of a person's is replaced: %s with a name of the project",
  async (kind, reason) => {
    const { folder, path } = await setUp();
    const elsewhere = await temporaryFolder();
    if (kind === "a folder") await mkdir(join(path, "in the way"), { recursive: true });
    if (kind === "a file") await writeFile(dirname(path), "mine");
    if (kind === "a link") await symlink(elsewhere, dirname(path), "junction");
    const request = await requestIn(folder, layoutOf([LOOP]));
    await expect(new LiveSetHost().place(request)).rejects.toThrow(
      `Tested couldn't write Kit.als: ${reason}`,
    );
    expect(await readdir(elsewhere)).toEqual([]);
  },
);

test("[LS9][R1] a disk error fails the import with its own reason, not a sound", async () => {
  const { folder } = await setUp();
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    syscall: "write",
  });
  for (const failing of ["put Kick", "write"]) {
    const request = await spoiledRequest(
      folder,
      (journal) => (label, act) =>
        journal.step(label, label.startsWith(failing) ? () => Promise.reject(full) : act),
    );
    await expect(new LiveSetHost().place(request)).rejects.toBe(full);
    expect(new Set(await readdir(folder))).toEqual(new Set(["0.wav", "1.wav"]));
  }
});

test("[LS10] reports a Set that can't be read back, and that it stays", async () => {
  const { folder, path } = await setUp();
  const request = await spoiledRequest(folder, (journal) => async (label, act) => {
    const outcome = await journal.step(label, act);
    if (label.startsWith("write")) await truncate(path, 100);
    return outcome;
  });
  await expect(new LiveSetHost().place(request)).rejects.toThrow(
    new LeftBehindError("Kit.als can't be read back. It stays beside the sounds."),
  );
});
