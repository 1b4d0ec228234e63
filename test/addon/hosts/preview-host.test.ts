import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type HostJournal,
  HostStepError,
  LeftBehindError,
  type PlaceRequest,
} from "../../../addon/hosts/host.ts";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { IN_PREVIEW, PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import {
  PreviewSessionError,
  readPreviewSession,
} from "../../../addon/hosts/preview/preview-session.ts";
import {
  GUESSED,
  layoutOf,
  LOOP,
  ONE_SHOT,
  placeRequest,
  testHostContract,
  withoutJournal,
} from "../../contracts/host/host-contract.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setUp(faults: PreviewFaults = {}) {
  const path = join(await temporaryFolder(), "data", "preview-session.json");
  const look = async () => {
    const { scenes, tracks } = await readPreviewSession(path);
    return { scenes: scenes.map(({ name }) => name), tracks: tracks.map(({ name }) => name) };
  };
  const restart = (faults: PreviewFaults = {}) => new PreviewHost(path, { faults });
  return { path, look, restart, host: restart(faults) };
}

const ALL = layoutOf([LOOP, ONE_SHOT, GUESSED]);

describe("the preview host", () => testHostContract(() => setUp()));

test("the session's file holds scenes, tracks, clip slots and every setting", async () => {
  const { path, host } = await setUp();
  await host.place(await placeRequest(layoutOf([LOOP])));
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    version: 1,
    tempo_bpm: 120,
    next_id: 3,
    scenes: [{ id: 1, name: "Kit (Looper)", package_id: "pkg_a", run_id: "run-1" }],
    tracks: [
      {
        id: 2,
        name: "Beat (Looper)",
        package_id: "pkg_a",
        sound_id: "beat",
        run_id: "run-1",
        clip_slots: {
          "1": {
            name: "Beat",
            file: "/sounds/beat.wav",
            warping: true,
            warp_mode: "beats",
            looping: true,
            loop_beats: 16,
            tempo_bpm: 174,
            color_index: 5,
            gain_db: -3,
          },
        },
      },
    ],
  });
});

describe("a refused sound", () => {
  test("[R1] doesn't stop the others and leaves no empty track", async () => {
    const { host, look } = await setUp({ failSounds: ["kick"] });
    const placed = await host.place(await placeRequest(ALL));
    expect(placed.map((sound) => "error" in sound && sound.error)).toEqual([
      false,
      "Tested couldn't make the clip Kick.",
      false,
    ]);
    expect((await look()).tracks).toEqual(["Beat (Looper)", "Pad (Looper)"]);
  });

  test("[R1] says so when its empty track can't be removed", async () => {
    const { host } = await setUp({ failSounds: ["kick"], failRemoval: true });
    const placed = await host.place(await placeRequest(ALL));
    expect(placed[1]).toMatchObject({ error: expect.stringMatching(/Its empty track stays\.$/) });
    expect(placed[2]).not.toHaveProperty("error");
  });
});

test("[S7] what it holds is read from the disk, not remembered", async () => {
  const holdOtherwise = new Map([["beat", { warp_mode: "complex" as const, tempo_bpm: 87 }]]);
  const { host } = await setUp({ holdOtherwise });
  const [beat] = await host.place(await placeRequest(ALL));
  expect(beat).toMatchObject({ holds: { warpMode: "complex", tempoBpm: 87, loopEndBeats: 16 } });
});

test("[S7] reads what someone changed in the session meanwhile", async () => {
  const { path, host } = await setUp();
  const onProgress = () => {
    const saved = `${path}.placing`;
    writeFileSync(saved, readFileSync(saved, "utf8").replace("Beat (Looper)", "1-Audio"));
  };
  const [beat] = await host.place(await placeRequest(layoutOf([LOOP]), { onProgress }));
  expect(beat).toMatchObject({ holds: { trackName: "1-Audio" } });
});

test("a scene that can't be made makes the whole placement fail", async () => {
  const { host, look } = await setUp({ failScene: true });
  await expect(host.place(await placeRequest(ALL))).rejects.toThrow(HostStepError);
  expect(await look()).toEqual({ scenes: [], tracks: [] });
});

test("reports what a cancelled placement couldn't remove", async () => {
  const { host, look } = await setUp({ failRemoval: true });
  const controller = new AbortController();
  const request = await placeRequest(ALL, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error("Called off.")),
  });
  const error = await host.place(request).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LeftBehindError);
  expect(error).toMatchObject({
    message: "Called off. Still in the session: Kit (Looper), Beat (Looper).",
  });
  expect((await look()).tracks).toEqual(["Beat (Looper)"]);
});

describe("an interrupted run", () => {
  test("[R4] is recognized and completed, wherever it stopped", async () => {
    const whole = await setUp();
    await whole.host.place(await placeRequest(ALL));
    const expected = await whole.look();
    // One scene, and a track and a clip for each of three sounds.
    for (let call = 1; call <= 7; call += 1) {
      for (const moment of ["stopBeforeCall", "stopAfterCall"] as const) {
        const stopped = Promise.withResolvers<void>();
        const { host, look, restart } = await setUp({ [moment]: call, onStop: stopped.resolve });
        void host.place(await placeRequest(ALL));
        await stopped.promise;
        const placed = await restart().place(await placeRequest(ALL));
        expect(await look()).toEqual(expected);
        expect(placed.every((sound) => "holds" in sound)).toBe(true);
      }
    }
  });

  test("[R4] gets a sound that failed then in its right place now", async () => {
    const { restart, host, look } = await setUp({ failSounds: ["kick"] });
    await host.place(await placeRequest(ALL));
    await restart().place(await placeRequest(ALL));
    expect((await look()).tracks).toEqual(["Beat (Looper)", "Kick (Looper)", "Pad (Looper)"]);
  });

  test("[R4] of another package is left alone", async () => {
    const { restart, host, look } = await setUp();
    await host.place(await placeRequest(layoutOf([LOOP], "pkg_b")));
    await restart().place(await placeRequest(layoutOf([LOOP], "pkg_a")));
    expect((await look()).tracks).toHaveLength(2);
  });
});

describe("the session's tempo", () => {
  const tempoIn = async (path: string) => (await readPreviewSession(path)).tempo_bpm;

  test("[R6] is 120 BPM in a new session", async () => {
    const { host } = await setUp();
    expect(await host.readTempo()).toBe(120);
  });

  test("[R6] is set before anything is placed, in a step of its own, and stays", async () => {
    const { path, host } = await setUp();
    const request = await placeRequest(ALL, { sessionTempoBpm: 174 });
    const labels: string[] = [];
    const { journal } = request;
    const step: HostJournal["step"] = (label, act) => {
      labels.push(label);
      return journal.step(label, act);
    };
    const placed = await host.place({
      ...request,
      journal: { runId: "run-1", earlier: [], step, together: withoutJournal },
    });
    expect(labels.slice(0, 3)).toEqual([
      "read the tempo",
      "set the tempo to 174 BPM",
      "make the scene Kit (Looper)",
    ]);
    expect(await tempoIn(path)).toBe(174);
    expect(await host.readTempo()).toBe(174);
    expect(placed.flatMap((sound) => ("notes" in sound ? sound.notes : []))).toEqual(
      ALL.tracks.map(() => IN_PREVIEW),
    );
  });

  test("[R6] that can't be set is noted at every loop, and everything is placed", async () => {
    const { path, host } = await setUp({ failTempo: true });
    const placed = await host.place(await placeRequest(ALL, { sessionTempoBpm: 174 }));
    const note = "Tested couldn't set the tempo to 174 BPM.";
    expect(placed).toMatchObject([
      { notes: [IN_PREVIEW, note] },
      { notes: [IN_PREVIEW] },
      { notes: [IN_PREVIEW, note] },
    ]);
    expect(await tempoIn(path)).toBe(120);
  });

  test("[R6][R4] is put back by a failed run, also after an earlier one stopped anywhere", async () => {
    // The tempo, one scene, and a track and a clip for each of three sounds.
    for (let call = 1; call <= 8; call += 1) {
      for (const moment of ["stopBeforeCall", "stopAfterCall"] as const) {
        const stopped = Promise.withResolvers<void>();
        const { path, host, look, restart } = await setUp({
          [moment]: call,
          onStop: stopped.resolve,
        });
        const journals = new Journals(await temporaryFolder(), () => 0);
        const place = async (host: PreviewHost, more: Partial<PlaceRequest> = {}) => {
          const { unfinished } = await journals.read("pkg_a");
          const { steps: earlier } = unfinished.get("tested") ?? { steps: [] };
          const run = { runId: "run-1", hostName: "tested", title: "Kit", earlier };
          const journal = await journals.begin("pkg_a", run);
          const request = await placeRequest(ALL, { sessionTempoBpm: 174, ...more });
          return host.place({ ...request, journal });
        };
        void place(host);
        await stopped.promise;
        const controller = new AbortController();
        const onProgress = () => controller.abort(new Error("Called off."));
        const cancelled = place(restart(), { signal: controller.signal, onProgress });
        await expect(cancelled).rejects.toThrow("Called off.");
        expect(await tempoIn(path)).toBe(120);
        expect(await look()).toEqual({ scenes: [], tracks: [] });
      }
    }
  });

  test("[R6] that couldn't be restored is reported", async () => {
    const { path, host, restart } = await setUp({ failScene: true });
    const request = await placeRequest(ALL, { sessionTempoBpm: 174 });
    await expect(host.place(request)).rejects.toThrow(HostStepError);
    expect(await tempoIn(path)).toBe(120);
    const faults: { failScene: boolean; failTempo?: boolean } = { failScene: true };
    const step: HostJournal["step"] = (label, act) => {
      if (label.startsWith("make the scene")) faults.failTempo = true;
      return request.journal.step(label, act);
    };
    const journal = { runId: "run-2", earlier: [], step, together: withoutJournal };
    await expect(restart(faults).place({ ...request, journal })).rejects.toThrow(
      "Tested couldn't make the scene Kit (Looper). The tempo stays at 174 BPM.",
    );
  });
});

describe("[R4] what the preview has saved and not flushed yet", () => {
  const nameIn = (path: string) => `${path}.placing`;

  test("counts after a crash, and is gone once it is flushed", async () => {
    const stopped = Promise.withResolvers<void>();
    const { path, host, look, restart } = await setUp({
      stopAfterCall: 2,
      onStop: stopped.resolve,
    });
    void host.place(await placeRequest(ALL));
    await stopped.promise;
    expect(await look()).toEqual({ scenes: ["Kit (Looper)"], tracks: ["Beat (Looper)"] });
    expect(existsSync(path)).toBe(false);
    await restart().place(await placeRequest(ALL));
    expect(existsSync(nameIn(path))).toBe(false);
    expect((await look()).tracks).toHaveLength(3);
  });

  test("doesn't count where a power cut has torn it", async () => {
    const { path, host, look } = await setUp();
    await host.place(await placeRequest(ALL));
    const before = await look();
    for (const torn of ["", "\0".repeat(300), (await readFile(path, "utf8")).slice(0, 200)]) {
      await writeFile(nameIn(path), torn);
      expect(await look()).toEqual(before);
    }
  });
});

test.each(["", "{", "[]", '{"version":2,"next_id":1,"scenes":[],"tracks":[]}'])(
  "an invalid session file is refused, not overwritten: %s",
  async (text) => {
    const { path, host } = await setUp();
    await host.place(await placeRequest(ALL));
    await writeFile(path, text);
    await expect(host.place(await placeRequest(ALL))).rejects.toThrow(PreviewSessionError);
    expect(await readFile(path, "utf8")).toBe(text);
  },
);
