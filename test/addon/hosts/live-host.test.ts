import { describe, expect, test } from "vitest";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import type { StandInOptions } from "./live/stand-in/stand-in-live.ts";
import { KIT, liveStudio, type LiveStudio, TRACK_NAMES } from "./live-studio.ts";
import { randomSeeds } from "../../runner/random-seed.ts";
import { expectTrueReport } from "./true-report.ts";

const SEEDS = randomSeeds(5);

function differencesOf({ tracks }: ImportOutcome): readonly unknown[] {
  return tracks.flatMap(({ differences }) => differences);
}

function namesIn(studio: LiveStudio): readonly string[] {
  return studio.live.look().tracks.map(({ name }) => name);
}

describe("a package in the Set", () => {
  test.each(SEEDS)(
    "[H1] is a scene and a track for each sound, in its order: seed %s",
    async (seed) => {
      const studio = await liveStudio({ seed });
      const outcome = await studio.import();
      expect(outcome.status).toBe("imported");
      expect(namesIn(studio)).toEqual(["1-MIDI", ...TRACK_NAMES, "2-Audio"]);
      expect(studio.live.look().scenes).toEqual(["Intro", "Verse", "Kit (Looper)"]);
      for (const { clips } of studio.newTracks())
        expect(clips.map(({ scene }) => scene)).toEqual([2]);
      await expectTrueReport(studio, outcome);
      expect(differencesOf(outcome)).toEqual([]);
    },
  );

  test("[H1] leaves out a sound that can't be used", async () => {
    const long = { name: "Endless", kind: "loop", seconds: 0 } as const;
    const studio = await liveStudio({ sounds: [...KIT.slice(0, 2), long, ...KIT.slice(2)] });
    const outcome = await studio.import();
    expect(outcome.tracks.map(({ status }) => status)).toEqual([
      "imported",
      "imported",
      "skipped",
      "imported",
      "imported",
    ]);
    expect(studio.newTracks().map(({ name }) => name)).toEqual(TRACK_NAMES);
  });

  test("[H1] is a new scene when it is imported again", async () => {
    const studio = await liveStudio();
    await studio.import();
    const before = studio.newTracks();
    await expectTrueReport(studio, await studio.import(), before);
    expect(studio.live.look().scenes.slice(2)).toEqual(["Kit (Looper)", "Kit (Looper)"]);
    expect(studio.newTracks()).toHaveLength(8);
  });

  test("[H1] has a track for each of two sounds of one name", async () => {
    const [beat, bass] = KIT;
    if (beat === undefined || bass === undefined) throw new Error("The kit is too small.");
    const studio = await liveStudio({ sounds: [beat, { ...bass, name: "beat" }] });
    await studio.import();
    const played = studio.newTracks().map(({ name, clips }) => [name, clips[0]?.warpMode]);
    expect(played).toEqual([
      ["Beat (Looper)", 0],
      ["beat (Looper)", 1],
    ]);
  });

  const OTHER_HABITS: readonly StandInOptions[] = [
    { selectedTrack: null },
    { givesBigInts: false, wantsBigIntColor: false },
    { givesFreshObjects: false },
    { givesFreshObjects: false, hasHandles: false },
    { shuffles: false },
    { prefixesPaths: true },
    { warpsByItself: false },
    { goesByAnalysis: true },
    { goesByAnalysis: true, warpsByItself: false },
    { losesReasons: false },
  ];
  test.each(OTHER_HABITS)("[H1][H4] is the same with other habits of Live: %j", async (habits) => {
    const studio = await liveStudio(habits);
    const outcome = await studio.import();
    expect(studio.newTracks().map(({ name }) => name)).toEqual(TRACK_NAMES);
    await expectTrueReport(studio, outcome);
    expect(differencesOf(outcome)).toEqual([]);
  });

  test("[H1] has each sound on its own track even if Live's new tracks have no identity", async () => {
    for (const seed of SEEDS) {
      const studio = await liveStudio({ hasHandles: false, seed });
      const outcome = await studio.import();
      expect(outcome.status).toBe("imported");
      await expectTrueReport(studio, outcome);
    }
  });
});

describe("the place of the scene", () => {
  test("[H1] is right below the scene that was clicked", async () => {
    const studio = await liveStudio();
    const [intro] = studio.live.context.application.song.scenes;
    const after = studio.host.placeBelow(intro);
    expect(after).toBeDefined();
    await studio.import({ ...(after && { after }) });
    expect(studio.live.look().scenes).toEqual(["Intro", "Kit (Looper)", "Verse"]);
    for (const { clips } of studio.newTracks())
      expect(clips.map(({ scene }) => scene)).toEqual([1]);
  });

  test("[H1] is right below the scene of the slot that was clicked", async () => {
    const studio = await liveStudio();
    const [, track] = studio.live.context.application.song.tracks;
    const after = studio.host.placeBelow(track?.clipSlots[0]);
    expect(after).toBeDefined();
    await studio.import({ ...(after && { after }) });
    expect(studio.live.look().scenes).toEqual(["Intro", "Kit (Looper)", "Verse"]);
  });

  test("[H1] follows added scenes, and is the end when the clicked scene was deleted", async () => {
    const studio = await liveStudio();
    const { song } = studio.live.context.application;
    const [intro] = song.scenes;
    const after = studio.host.placeBelow(intro);
    if (intro === undefined || after === undefined) throw new Error("It was not found.");
    (await song.createScene(0)).name = "New";
    await studio.import({ after });
    expect(studio.live.look().scenes).toEqual(["New", "Intro", "Kit (Looper)", "Verse"]);
    await song.deleteScene(intro);
    await studio.import({ after });
    expect(studio.live.look().scenes).toEqual(["New", "Kit (Looper)", "Verse", "Kit (Looper)"]);
  });

  test("[H1] stays its own when someone makes another scene meanwhile", async () => {
    const studio = await liveStudio();
    studio.live.onCall = ({ label }) => {
      if (label === "scene.name = Kit (Looper)") studio.live.addSceneByHand(0, "New");
    };
    const outcome = await studio.import();
    expect(studio.live.look().scenes).toEqual(["New", "Intro", "Verse", "Kit (Looper)"]);
    for (const { clips } of studio.newTracks())
      expect(clips.map(({ scene }) => scene)).toEqual([3]);
    await expectTrueReport(studio, outcome);
  });

  test.each([true, false])(
    "[H1][H4] is not replaced where someone deletes it meanwhile: every sound fails (stale objects throw: %s)",
    async (throwsWhenDead) => {
      const studio = await liveStudio({ throwsWhenDead });
      const [intro] = studio.live.context.application.song.scenes;
      const after = studio.host.placeBelow(intro);
      studio.live.onCall = ({ label }) => {
        if (label === "track.name = Beat (Looper)") studio.live.deleteSceneByHand(1);
      };
      const outcome = await studio.import({ ...(after && { after }) });
      expect(outcome.status).toBe("failed");
      expect(studio.live.look().scenes).toEqual(["Intro", "Verse"]);
      expect(outcome.tracks.map(({ error }) => error).join(" ")).not.toMatch(/stay/);
      await expectTrueReport(studio, outcome);
    },
  );

  test("[H1] is undefined for what is not in the Set", async () => {
    const { host, live } = await liveStudio();
    const scene = await live.context.application.song.createScene(-1);
    await live.context.application.song.deleteScene(scene);
    for (const nothing of [scene, undefined, null, {}, "Intro", 7n]) {
      expect(host.placeBelow(nothing)).toBeUndefined();
    }
  });
});

test("[H2] an import is three undo steps: scene and tracks; names and clips; settings", async () => {
  const studio = await liveStudio();
  await studio.import();
  const { undoSteps } = studio.live.look();
  const kinds = undoSteps.map((step) => [...new Set(step.map(kindOf))].sort());
  expect(kinds).toEqual([
    ["createAudioTrack", "createScene"],
    ["createAudioClip", "scene.name", "track.name"],
    ["clip.color", "clip.name", "clip.warpMode", "volume"],
  ]);
  expect(undoSteps.map((step) => step.length)).toEqual([5, 9, expect.any(Number)]);
});

function kindOf(label: string): string {
  return label.split(" ")[0] ?? "";
}

describe("the read-back", () => {
  test("[H4] reports a scene with another name", async () => {
    const studio = await liveStudio({ failsAlways: /scene\.name/ });
    const outcome = await studio.import();
    expect(outcome.status).toBe("imported");
    await expectTrueReport(studio, outcome);
  });

  const REFUSALS = [
    [/track\.name/, "track"],
    [/clip\.name/, "clip"],
    [/clip\.color/, "color_index"],
    [/clip\.warpMode/, "warp_mode"],
  ] as const;
  const UNTOLD = REFUSALS.map(([label, setting]) => [{ ignores: label }, setting] as const);
  const TOLD = REFUSALS.map(([label, setting]) => [{ failsAlways: label }, setting] as const);
  test.each([...TOLD, ...UNTOLD])("[H4] reports a difference: %o", async (faults, setting) => {
    const studio = await liveStudio(faults);
    const outcome = await studio.import();
    expect(outcome.status).toBe("imported");
    const reported = outcome.tracks.flatMap(({ differences }) => differences);
    expect(new Set(reported.map((difference) => difference.setting))).toEqual(new Set([setting]));
    await expectTrueReport(studio, outcome);
  });

  test("[H4] reports a difference: a loop shorter than Live's shortest", async () => {
    const loop = {
      name: "Tick",
      kind: "loop",
      seconds: 0.06,
      bpm: 125,
      length_beats: 0.125,
    } as const;
    const studio = await liveStudio({ sounds: [loop], guess: 125 });
    const outcome = await studio.import();
    await expectTrueReport(studio, outcome);
    expect(differencesOf(outcome)).toEqual([{ setting: "loop_beats", asked: 0.125, got: 0.25 }]);
  });

  test.each([true, false])(
    "[H4] lacks a track that its user deleted meanwhile: only that sound fails (stale objects throw: %s)",
    async (throwsWhenDead) => {
      const studio = await liveStudio({ throwsWhenDead });
      studio.live.onCall = ({ label }) => {
        if (label === "clip.name = Lead") studio.live.deleteTrackByHand("Bass (Looper)");
      };
      const outcome = await studio.import();
      expect(outcome.status).toBe("partial");
      expect(outcome.tracks.map(({ status }) => status)).toEqual([
        "imported",
        "failed",
        "imported",
        "imported",
      ]);
      expect(outcome.tracks[1]?.error).toMatch(/Bass/);
      expect(studio.newTracks()).toHaveLength(3);
    },
  );

  test("[H4] a loop of unknown tempo and length keeps what Live detects, without a difference", async () => {
    const loop = { name: "Found", kind: "loop", seconds: 3.84 } as const;
    const studio = await liveStudio({ sounds: [loop], guess: "half" });
    const outcome = await studio.import();
    expect(differencesOf(outcome)).toEqual([]);
    expect(studio.newTracks()[0]?.clips[0]).toMatchObject({ warping: true, looping: true });
  });
});
