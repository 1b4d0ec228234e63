import { describe, expect, test } from "vitest";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { KIT, type KitSound, liveStudio, type StudioOptions } from "./live-studio.ts";
import { expectTrueReport } from "./true-report.ts";

const UNTOLD = "Live can't be told this loop's tempo without the Soundferry control surface.";
const REFUSED = "Live refused to be told where its clip starts and ends.";
const KICK: KitSound = { name: "Kick", kind: "oneshot", seconds: 2 };

function loop(length_beats: number, bpm: number, name = "Beat"): KitSound {
  return { name, kind: "loop", seconds: (60 * length_beats) / bpm, bpm, length_beats };
}

async function imported(options: StudioOptions) {
  const studio = await liveStudio(options);
  const outcome = await studio.import();
  expect(outcome.status).toBe("imported");
  await expectTrueReport(studio, outcome);
  return { studio, outcome };
}

function settingsIn({ tracks }: ImportOutcome): readonly (readonly string[])[] {
  return tracks.map(({ differences }) => differences.map(({ setting }) => setting));
}

describe("a loop out of time", () => {
  test("[H4] that starts a second late is told: start, loop start and markers", async () => {
    const { outcome } = await imported({ sounds: [loop(8, 120)], warpedStart: 1 });
    expect(outcome.tracks[0]?.differences).toMatchObject([
      { setting: "start", asked: 0, got: 1 },
      { setting: "loop_start", asked: 0, got: 1 },
      {
        setting: "warp_markers",
        asked: "0 s = beat 0, 4 s = beat 8",
        got: "1 s = beat 0, 1.007813 s = beat 0.015625",
      },
    ]);
    expect(outcome.tracks[0]?.notes).toContain(UNTOLD);
  });

  test("[H4] that drifts inside with the right tempo from start to end is told", async () => {
    const { outcome } = await imported({ sounds: [loop(8, 120)], driftBeats: 0.1 });
    expect(settingsIn(outcome)).toEqual([["warp_markers"]]);
    expect(outcome.tracks[0]?.notes).toContain(UNTOLD);
  });

  test.each([
    [8, 120, []],
    [12, 120, ["tempo_bpm", "warp_markers"]],
    [20, 100, ["tempo_bpm", "warp_markers"]],
    [14, 140, ["tempo_bpm", "warp_markers"]],
    [12, 90, ["tempo_bpm", "warp_markers"]],
  ])("[H6] of %s beats at %s BPM differs in %j", async (beats, bpm, settings) => {
    for (const correctsTempo of [false, true]) {
      const { outcome } = await imported({ sounds: [loop(beats, bpm)], correctsTempo });
      expect(settingsIn(outcome)).toEqual([settings]);
      expect(outcome.tracks[0]?.notes.includes(UNTOLD)).toBe(settings.length > 0);
    }
  });

  test("[H4] of unknown tempo is told where it starts late, and nothing of its markers", async () => {
    const sounds = [{ name: "Pad", kind: "loop", seconds: 4 } as const];
    const { outcome } = await imported({ sounds, warpedStart: 1, driftBeats: 0.1 });
    expect(settingsIn(outcome)).toEqual([["start", "loop_start"]]);
    expect(outcome.tracks[0]?.notes).not.toContain(UNTOLD);
  });
});

describe("loop settings", () => {
  test("[H4][H7] that Live refuses cost no sound: the clip is made without, and what differs is told", async () => {
    const sounds = [{ ...loop(7, 105), seconds: 5 }, KICK];
    const { studio, outcome } = await imported({ sounds, refusesLoopSettings: true });
    expect(settingsIn(outcome)[0]).toContain("loop_beats");
    expect(settingsIn(outcome)[1]).toEqual(["start"]);
    for (const { notes } of outcome.tracks) expect(notes).toContain(REFUSED);
    expect(studio.live.look().undoSteps).toHaveLength(4);
  });

  test("[H4] of a one-shot start it at its first sample, though Live would start it later", async () => {
    const { studio, outcome } = await imported({ sounds: [KICK], unwarpedStart: 1 });
    expect(settingsIn(outcome)).toEqual([[]]);
    expect(studio.newTracks()[0]?.clips[0]).toMatchObject({ startMarker: 0, endMarker: 2 });
  });

  test("[H4] of a one-shot don't cut it where Live takes them in beats", async () => {
    const { studio, outcome } = await imported({ sounds: [KICK], unwarpedUnit: "beats" });
    expect(studio.newTracks()[0]?.clips[0]).toMatchObject({ startMarker: 1, endMarker: 2 });
    expect(outcome.tracks[0]?.differences).toEqual([{ setting: "start", asked: 0, got: 1 }]);
    expect(outcome.tracks[0]?.notes).toContain(REFUSED);
  });
});

test("[H4] warp that Live switches late is read back once it is switched", async () => {
  for (const warpsByItself of [true, false]) {
    const { outcome } = await imported({ goesByAnalysis: true, warpsByItself, unwarpedStart: 0 });
    expect(settingsIn(outcome)).toEqual(KIT.map(() => []));
  }
});

test("[H4] warp that Live never switches is a difference", async () => {
  const ignores = /clip\.(warping|looping)/;
  const habits = { goesByAnalysis: true, warpsByItself: false, ignores };
  const studio = await liveStudio({ ...habits, sounds: [loop(8, 120)] });
  expect(settingsIn(await studio.import())[0]).toEqual(
    expect.arrayContaining(["warping", "looping", "loop_beats", "tempo_bpm"]),
  );
});

describe("what Live can't tell", () => {
  const ALWAYS = "track color, scene color, pitch, arming, input";

  test("[H4] is named in one note of each sound", async () => {
    const { outcome } = await imported({});
    for (const { notes } of outcome.tracks) {
      expect(notes.filter((note) => note.startsWith("Not checked"))).toEqual([
        `Not checked: ${ALWAYS}.`,
      ]);
    }
  });

  test("[H4] is never silently equal: a volume that can't be read", async () => {
    const studio = await liveStudio({ failsAlways: /getValue/ });
    const { tracks } = await studio.import();
    for (const { notes } of tracks) expect(notes).toContain(`Not checked: ${ALWAYS}, gain.`);
  });
});

describe("with the option to correct the tempo", () => {
  const sounds = [
    loop(8, 100, "One"),
    loop(8, 90, "Two"),
    loop(4, 100, "Three"),
    loop(4, 90, "Four"),
  ];

  test("[H6] the Set's tempo changes once for each, in few undo steps", async () => {
    const { studio, outcome } = await imported({ sounds, firstTempoBpm: 60, correctsTempo: true });
    expect(settingsIn(outcome)).toEqual([[], [], [], []]);
    const tempi = studio.live.calls.flatMap(({ label }) =>
      label.startsWith("tempo") ? [label] : [],
    );
    expect(tempi).toEqual(["tempo = 100", "tempo = 90", "tempo = 60"]);
    expect(studio.live.look().undoSteps).toHaveLength(10);
  });

  test("[H6] loops whose tempo Live doesn't take keep a clip", async () => {
    const failsAlways = /tempo = 90/;
    const { studio, outcome } = await imported({
      sounds,
      firstTempoBpm: 60,
      correctsTempo: true,
      failsAlways,
    });
    expect(studio.newTracks().map(({ clips }) => clips.length)).toEqual([1, 1, 1, 1]);
    expect(outcome.tracks[1]?.notes).toContainEqual(
      expect.stringContaining("Live couldn't set the tempo to 90 BPM"),
    );
    expect(studio.live.look().tempoBpm).toBe(60);
  });
});

describe("the place of a clicked slot", () => {
  const LARGE = {
    firstScenes: Array.from({ length: 300 }, (_, index) => `Scene ${index}`),
    firstTracks: Array.from({ length: 200 }, (_, index) => ({
      kind: "audio" as const,
      name: `Track ${index}`,
    })),
  };

  test.each([true, false])(
    "[H1] is found with few reads in a large Set (slots know their track: %s)",
    async (slotsHaveParents) => {
      const { live, host } = await liveStudio({ ...LARGE, slotsHaveParents });
      const slot = live.context.application.song.tracks[150]?.clipSlots[7];
      const before = live.reads;
      const after = host.placeBelow(slot);
      const reads = live.reads - before;
      expect(after).toBeDefined();
      expect(reads < 50).toBe(slotsHaveParents);
    },
  );
});

test("[H4][H7] another Set that is opened meanwhile is left as it is, and every sound has failed", async () => {
  const studio = await liveStudio({});
  studio.live.onCall = ({ label }) => {
    if (label === "clip.name = Lead") studio.live.openAnotherSet();
  };
  const outcome = await studio.import();
  expect(outcome.status).toBe("failed");
  expect(studio.newTracks()).toEqual([]);
  expect(studio.live.look().scenes).toEqual(["Intro", "Verse"]);
});
