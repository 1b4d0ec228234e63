import { describe, expect, test } from "vitest";
import { compareSettings } from "../../../addon/runs/compare-settings.ts";
import type { HeldSettings } from "../../../addon/hosts/host.ts";
import type { TrackPlan } from "../../../core/layout/layout.ts";

const LOOP: TrackPlan = {
  soundId: "1",
  trackName: "Beat (Looper)",
  clipName: "Beat",
  kind: "loop",
  warping: true,
  warpMode: "beats",
  looping: true,
  loopEndBeats: 16,
  tempoBpm: 174.333_333_333,
  colorIndex: 5,
  gainDb: -3,
  notes: [],
};

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
