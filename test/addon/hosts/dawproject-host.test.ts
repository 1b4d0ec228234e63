import { mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HostJournal, LeftBehindError, type PlaceRequest } from "../../../addon/hosts/host.ts";
import { dawprojectPath } from "../../../addon/hosts/dawproject/dawproject-file.ts";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import { compareSettings } from "../../../core/report/compare-settings.ts";
import type { Layout, TrackPlan } from "../../../core/layout/layout.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
  testHostContract,
  withoutJournal,
} from "../../contracts/host/host-contract.ts";
import { elements, openDawproject } from "./dawproject/open-dawproject.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { filesIn, LOOP_WAV, withFiles } from "./with-files.ts";

async function setUp() {
  const folder = join(await temporaryFolder(), "Kit");
  await mkdir(folder);
  const path = join(folder, "Kit.dawproject");
  const look = async () => {
    if (!(await readdir(folder)).includes("Kit.dawproject")) return { scenes: [], tracks: [] };
    const { project } = await openDawproject(path);
    const namesOf = (...names: readonly string[]) =>
      elements(project, ...names).map((element) => String(element["@name"]));
    return {
      scenes: namesOf("Scenes", "Scene"),
      tracks: namesOf("Structure", "Track").filter((name) => name !== "Master"),
    };
  };
  return { folder, path, look };
}

/** A request with a WAV in the folder for each sound. */
async function requestIn(folder: string, layout: Layout, more: Partial<PlaceRequest> = {}) {
  return { ...(await placeRequest(layout, more)), files: await filesIn(folder, layout) };
}

function named(soundId: string, clipName: string): TrackPlan {
  return { ...LOOP, soundId, clipName };
}

describe("the DAWproject host", () =>
  testHostContract(async () => {
    const { folder, look } = await setUp();
    return { host: withFiles(new DawprojectHost(), folder), look, replaces: true };
  }));

test("[D7] the file lies next to the sounds, which stay, and contains them", async () => {
  const { folder, path } = await setUp();
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]));
  await new DawprojectHost().place(request);
  expect(new Set(await readdir(folder))).toEqual(new Set(["0.wav", "1.wav", "Kit.dawproject"]));
  const { files } = await openDawproject(path);
  expect(Object.keys(files)).toEqual([
    "audio/Beat.wav",
    "audio/Kick.wav",
    "metadata.xml",
    "project.xml",
  ]);
  expect(Buffer.from(files["audio/Beat.wav"] ?? [])).toEqual(LOOP_WAV);
});

test("[D7] sounds with the same name have separate files", async () => {
  const { folder, path } = await setUp();
  const names = ["Kick", "kick", "CON", "a/b"];
  const tracks = names.map((clipName, index) => named(`s${index}`, clipName));
  await new DawprojectHost().place(await requestIn(folder, layoutOf(tracks)));
  const { files } = await openDawproject(path);
  expect(Object.keys(files).filter((name) => name.startsWith("audio/"))).toEqual([
    "audio/Kick.wav",
    "audio/kick 2.wav",
    "audio/_CON.wav",
    "audio/a b.wav",
  ]);
});

test("[D7] the same package gives the same bytes, with the timeline or without", async () => {
  const bytesOf = async (withArrangement: boolean) => {
    const { folder } = await setUp();
    const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]));
    await new DawprojectHost({ withArrangement }).place(request);
    return readFile(dawprojectPath(folder, { withArrangement }));
  };
  const [one, again, other] = [await bytesOf(true), await bytesOf(true), await bytesOf(false)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
});

test.each([[false], [true]])(
  "[D7] a folder with the longest of names has room for the file's ending, laid out: %j",
  (withArrangement) => {
    for (const name of ["x".repeat(255), "ü".repeat(127)]) {
      const path = dawprojectPath(`/sounds/${name}`, { withArrangement });
      const file = path.slice(`/sounds/${name}/`.length);
      expect(file).toMatch(withArrangement ? /[xü] \(arrangement\)\.dawproject$/ : /\.dawproject$/);
      expect(Buffer.byteLength(`${file}.new`)).toBeLessThanOrEqual(255);
    }
  },
);

test("[D7][R7] with the timeline laid out it is another host, and another file beside the first", async () => {
  const { folder } = await setUp();
  const hosts = [new DawprojectHost(), new DawprojectHost({ withArrangement: true })];
  for (const host of hosts) await host.place(await requestIn(folder, layoutOf([LOOP])));
  expect(hosts.map(({ name }) => name)).toEqual(["dawproject", "dawproject-arrangement"]);
  expect(new Set(await readdir(folder))).toEqual(
    new Set(["0.wav", "Kit.dawproject", "Kit (arrangement).dawproject"]),
  );
});

test("[S7] what the file holds is read back: nothing differs where the format can say it", async () => {
  const { folder } = await setUp();
  const odd: TrackPlan = { ...LOOP, soundId: "odd", tempoBpm: 123.456_789, loopEndBeats: 11.4 };
  const loud: TrackPlan = { ...LOOP, soundId: "loud", gainDb: 24, warpMode: "complex_pro" };
  const quiet: TrackPlan = { ...ONE_SHOT, soundId: "quiet", gainDb: -70, colorIndex: 69 };
  const plans = [LOOP, ONE_SHOT, odd, loud, quiet];
  const placed = await new DawprojectHost().place(await requestIn(folder, layoutOf(plans)));
  for (const [index, plan] of plans.entries()) {
    const sound = placed[index];
    if (sound === undefined || !("holds" in sound)) throw new Error("It was not placed.");
    expect(Object.keys(sound.holds)).toHaveLength(plan.warping ? 12 : 9);
    expect(compareSettings(plan, sound.holds)).toEqual([]);
  }
});

test("[D3][D4] adds a note for what the format can't express", async () => {
  const { folder } = await setUp();
  const known: TrackPlan = { ...LOOP, soundId: "known", tempoBpm: null, loopEndBeats: 1 };
  const loud: TrackPlan = { ...ONE_SHOT, gainDb: 6.5 };
  const plans = [GUESSED, known, loud, LOOP];
  const placed = await new DawprojectHost().place(await requestIn(folder, layoutOf(plans)));
  expect(placed.map((sound) => "notes" in sound && sound.notes)).toEqual([
    [
      "A DAWproject can't leave the tempo to be guessed: the clip is unwarped and loops over the whole file.",
    ],
    ["A DAWproject can't leave the tempo to be guessed: the file is warped to fill 1 beat."],
    ["The gain of +6.5 dB is set as track volume; many DAWs allow at most +6 dB."],
    [],
  ]);
  const [guessed] = placed;
  if (guessed === undefined || !("holds" in guessed)) throw new Error("It was not placed.");
  expect(compareSettings(GUESSED, guessed.holds)).toEqual([
    { setting: "warping", asked: true, got: false },
  ]);
});

test("[R1] reports a sound whose file can't be read, and includes the others", async () => {
  const { folder, look } = await setUp();
  const broken = { ...ONE_SHOT, soundId: "broken", clipName: "Broken", trackName: "Broken" };
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT, broken, GUESSED]));
  await rm(join(folder, "1.wav"));
  await writeFile(join(folder, "2.wav"), "no WAV");
  const placed = await new DawprojectHost().place(request);
  expect(placed.map((sound) => "error" in sound && sound.error)).toEqual([
    false,
    "Tested couldn't put Kick into the file: 1.wav can't be read.",
    expect.stringMatching(/^Tested couldn't put Broken into the file: 2\.wav/),
    false,
  ]);
  expect(placed[3]).toMatchObject({ soundId: "__proto__", holds: { clipName: "Pad" } });
  expect((await look()).tracks).toEqual(["Beat (Looper)", "Pad (Looper)"]);
});

test("[R1] writes no file if no sound can be read", async () => {
  const { folder } = await setUp();
  const request = await requestIn(folder, layoutOf([LOOP]));
  await rm(join(folder, "0.wav"));
  const placed = await new DawprojectHost().place(request);
  expect(placed).toMatchObject([{ error: expect.stringMatching(/can't be read/) }]);
  expect(await readdir(folder)).toEqual([]);
});

test("[D7] a cancelled import leaves the older file unchanged", async () => {
  const { folder, path } = await setUp();
  await new DawprojectHost().place(await requestIn(folder, layoutOf([LOOP])));
  const before = await readFile(path);
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("called off"));
  const more = { signal: controller.signal, onProgress };
  const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]), more);
  await expect(new DawprojectHost().place(request)).rejects.toThrow("called off");
  expect(await readFile(path)).toEqual(before);
  expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
});

test("[D7] leaves no temporary file if the file can't be replaced", async () => {
  const { folder, path } = await setUp();
  // No file can be renamed onto a folder.
  await mkdir(join(path, "in the way"), { recursive: true });
  const request = await requestIn(folder, layoutOf([LOOP]));
  await expect(new DawprojectHost().place(request)).rejects.toThrow(
    "Tested couldn't write Kit.dawproject: Kit.dawproject can't be replaced: it is a folder.",
  );
  expect(new Set(await readdir(folder))).toEqual(new Set(["0.wav", "Kit.dawproject"]));
});

test("[D7][R1] a disk error fails the import with its own reason, not a sound", async () => {
  const { folder } = await setUp();
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    syscall: "write",
  });
  for (const failing of ["put Kick", "write"]) {
    const request = await requestIn(folder, layoutOf([LOOP, ONE_SHOT]));
    const { journal } = request;
    const spoiling: HostJournal = {
      runId: journal.runId,
      earlier: [],
      together: withoutJournal,
      step: (label, act) =>
        journal.step(label, label.startsWith(failing) ? () => Promise.reject(full) : act),
    };
    const placing = new DawprojectHost().place({ ...request, journal: spoiling });
    await expect(placing).rejects.toBe(full);
    expect(new Set(await readdir(folder))).toEqual(new Set(["0.wav", "1.wav"]));
  }
});

test("[D7] reports a file that can't be read back, and that it stays", async () => {
  const { folder, path } = await setUp();
  const request = await requestIn(folder, layoutOf([LOOP]));
  const { journal } = request;
  const spoiling: HostJournal = {
    runId: journal.runId,
    earlier: [],
    together: withoutJournal,
    step: async (label, act) => {
      const outcome = await journal.step(label, act);
      if (label.startsWith("write")) await truncate(path, 100);
      return outcome;
    },
  };
  const placing = new DawprojectHost().place({ ...request, journal: spoiling });
  await expect(placing).rejects.toThrow(
    new LeftBehindError("Kit.dawproject can't be read back. It stays beside the sounds."),
  );
});
