import { describe, expect, test } from "vitest";
import { compareSettings } from "../../../core/report/compare-settings.ts";
import type { HeldSettings } from "../../../core/report/placed-sound.ts";
import type { TrackPlan } from "../../../core/layout/layout.ts";
import { LOOP as CONTRACT_LOOP } from "../../contracts/host/host-contract.ts";

const LOOP: TrackPlan = { ...CONTRACT_LOOP, soundId: "1", tempoBpm: 174.333_333_333 };

/** The plan's 16 beats at its tempo. */
const LINE = [
  { seconds: 0, beats: 0 },
  { seconds: 960 / 174.333_333_333, beats: 16 },
];
const ASKED_LINE = "0 s = beat 0, 5.506692 s = beat 16";

describe("[S7] settings that differ at the host", () => {
  test("[S7] reports none when the host holds what was requested", () => {
    expect(compareSettings(LOOP, LOOP)).toEqual([]);
  });

  test.each<[Partial<HeldSettings>, string, unknown, unknown]>([
    [{ trackName: "1-Audio" }, "track", "Beat (Looper)", "1-Audio"],
    [{ clipName: "" }, "clip", "Beat", ""],
    [{ warping: false }, "warping", true, false],
    [{ warpMode: "complex" }, "warp_mode", "beats", "complex"],
    [{ warpMode: null }, "warp_mode", "beats", null],
    [{ looping: false }, "looping", true, false],
    [{ loopEndBeats: 8 }, "loop_beats", 16, 8],
    [{ loopEndBeats: null }, "loop_beats", 16, null],
    [{ tempoBpm: 87.166_666_666 }, "tempo_bpm", 174.333_333, 87.166_667],
    [{ colorIndex: 6 }, "color_index", 5, 6],
    [{ gainDb: 0 }, "gain_db", -3, 0],
  ])("[S7] reports each difference: %o", (held, setting, asked, got) => {
    expect(compareSettings(LOOP, { ...LOOP, ...held })).toEqual([{ setting, asked, got }]);
  });

  test("[S7] skips what the host can't read", () => {
    expect(compareSettings(LOOP, {})).toEqual([]);
  });

  test("[S7] skips what the plan leaves to the host", () => {
    const guessed = { ...LOOP, loopEndBeats: null, tempoBpm: null };
    expect(compareSettings(guessed, { ...LOOP, tempoBpm: 90 })).toEqual([]);
  });

  test.each<Partial<HeldSettings>>([
    { tempoBpm: Math.fround(174.333_333_333) },
    { loopEndBeats: Math.fround(16.000_01) },
    { gainDb: -3.005 },
  ])("[S7] ignores rounding errors: %o", (held) => {
    expect(compareSettings(LOOP, { ...LOOP, ...held })).toEqual([]);
  });

  test.each<Partial<HeldSettings>>([
    { tempoBpm: 174.336 },
    { loopEndBeats: 16.002 },
    { gainDb: -2.98 },
    { tempoBpm: Number.NaN },
  ])("[S7] reports more than a rounding error: %o", (held) => {
    expect(compareSettings(LOOP, { ...LOOP, ...held })).toHaveLength(1);
  });
});

test("[S7] a setting of another type than the one asked for is a difference", () => {
  const holds = { gainDb: "-3", warpMode: 0 } as unknown as Partial<HeldSettings>;
  expect(compareSettings(LOOP, holds)).toEqual([
    { setting: "warp_mode", asked: "beats", got: 0 },
    { setting: "gain_db", asked: -3, got: "-3" },
  ]);
});

test("[S7] a number without a tolerance is compared exactly", () => {
  expect(compareSettings(LOOP, { colorIndex: 5.001 })).toHaveLength(1);
  const whole = { ...LOOP, loopEndBeats: 1 };
  expect(compareSettings({ ...whole, loopEndBeats: 0 }, { loopEndBeats: 0.001 })).toEqual([]);
});

describe("[S7] where a clip starts", () => {
  test.each(["start", "loop_start"] as const)("[S7] is the file's first sample: %s", (setting) => {
    const key = setting === "start" ? "startSeconds" : "loopStartSeconds";
    expect(compareSettings(LOOP, { [key]: 0 })).toEqual([]);
    expect(compareSettings(LOOP, { [key]: -0.0009 })).toEqual([]);
    expect(compareSettings(LOOP, { [key]: 1 })).toEqual([{ setting, asked: 0, got: 1 }]);
    expect(compareSettings(LOOP, { [key]: -0.25 })).toEqual([{ setting, asked: 0, got: -0.25 }]);
    expect(compareSettings(LOOP, { [key]: 0.0009 }, { seconds: 0.0001 })).toHaveLength(1);
  });

  test("[S7] also where tempo and length are a guess", () => {
    const guessed = { ...LOOP, loopEndBeats: null, tempoBpm: null };
    expect(compareSettings(guessed, { startSeconds: 2.5 })).toEqual([
      { setting: "start", asked: 0, got: 2.5 },
    ]);
  });
});

describe("[S7] warp markers", () => {
  test("[S7] on the plan's line are no difference", () => {
    expect(compareSettings(LOOP, { warpMarkers: LINE })).toEqual([]);
  });

  test("[S7] that drift are one, though the tempo from first to last is the plan's", () => {
    const [start, end] = LINE;
    if (start === undefined || end === undefined) throw new Error("There is no line.");
    const warpMarkers = [start, { seconds: 2, beats: 6 }, end];
    expect(compareSettings(LOOP, { warpMarkers, tempoBpm: LOOP.tempoBpm })).toEqual([
      {
        setting: "warp_markers",
        asked: ASKED_LINE,
        got: "0 s = beat 0, 2 s = beat 6, 5.506692 s = beat 16",
      },
    ]);
  });

  test("[S7] that are missing are one", () => {
    expect(compareSettings(LOOP, { warpMarkers: [] })).toEqual([
      { setting: "warp_markers", asked: ASKED_LINE, got: "none" },
    ]);
  });

  test("[S7] count as equal as far as the host's tolerances go", () => {
    const warpMarkers = LINE.map(({ seconds, beats }) => ({ seconds, beats: beats * 1.0009 }));
    const tolerances = { warpMarkerBeats: 0.016, tempoBpm: 0.17 };
    expect(compareSettings(LOOP, { warpMarkers }, tolerances)).toEqual([]);
    expect(compareSettings(LOOP, { warpMarkers })).toHaveLength(1);
  });

  test("[S7] of a guessed tempo are not compared", () => {
    const warpMarkers = LINE.map(({ seconds, beats }) => ({ seconds: seconds + 1, beats }));
    expect(compareSettings({ ...LOOP, tempoBpm: null }, { warpMarkers })).toEqual([]);
  });
});

describe("[S7] the file that a clip plays", () => {
  test.each([
    ["/sounds/Beat.wav", "/sounds/Beat.wav", []],
    ["/sounds/Beat.wav", "/other/Bass.wav", [["Beat.wav", "Bass.wav"]]],
    ["/sounds/Beat.wav", "/other/Beat.wav", [["Beat.wav", "Beat.wav in another folder"]]],
    ["C:\\Sounds\\Beat.wav", "D:\\Beat.wav", [["Beat.wav", "Beat.wav in another folder"]]],
    ["/sounds/Beat.wav", "", [["Beat.wav", ""]]],
  ])("[S7] is compared by its path and named without it: %s, %s", (asked, got, told) => {
    expect(compareSettings(LOOP, { file: { asked, got } })).toEqual(
      told.map(([name, other]) => ({ setting: "file", asked: name, got: other })),
    );
  });
});

test("[S7] the host's tolerances replace the default ones, each its own", () => {
  expect(compareSettings(LOOP, { gainDb: -3.05 }, { gainDb: 0.1 })).toEqual([]);
  expect(compareSettings(LOOP, { gainDb: -3.05, loopEndBeats: 16.1 }, { gainDb: 0.1 })).toEqual([
    { setting: "loop_beats", asked: 16, got: 16.1 },
  ]);
});
