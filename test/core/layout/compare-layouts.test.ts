import { ONE_SHOT, sampleTrack } from "./sample-package.ts";
import { compareLayouts } from "../../../core/layout/compare-layouts.ts";
import type { LayoutJson, UsableTrackJson } from "../../../core/layout/layout-json.ts";
import { describe, expect, test } from "vitest";

const LOOP = sampleTrack("bass", { track: "Bass (App)", clip: "Bass", gain_db: -3 });

/** Another value of every setting. */
const CHANGED: Omit<UsableTrackJson, "id"> = {
  track: "Sub (App)",
  clip: "Sub",
  ...ONE_SHOT,
  color_index: 11,
  gain_db: 0,
  notes: ["Both are guessed."],
};
const NAMES = { id: "bass", track: "Bass (App)", clip: "Bass", kind: "loop" } as const;
const LOST = { ...NAMES, error: "bass.wav is not there." };

const named = (id: string): UsableTrackJson => ({ ...LOOP, id, clip: `Clip ${id}` });
const layoutOf = (
  tracks: LayoutJson["tracks"],
  warnings: LayoutJson["warnings"] = [],
): LayoutJson => ({ scene: { name: "Night (App)" }, tracks, warnings });
const ordered = (ids: string): LayoutJson => layoutOf(ids.split("").map(named));

test("[B3] equal layouts have no differences, regardless of member order", () => {
  const warning = { code: "CUT", message: "It was cut.", sound: "bass" };
  const now = layoutOf([LOOP], [warning]);
  const turned = turn({ ...now, tracks: [turn(LOOP)], warnings: [turn(warning)] });
  expect(compareLayouts(turned, now)).toEqual([]);
});

test.each(Object.entries(CHANGED))("[B3] reports a changed setting: %s", (setting, now) => {
  const accepted: unknown = Reflect.get(LOOP, setting);
  expect(compareLayouts(layoutOf([LOOP]), layoutOf([{ ...LOOP, [setting]: now }]))).toEqual([
    { sound: "bass", setting, accepted, now },
  ]);
});

test("[B3] ignores unknown members", () => {
  const accepted = layoutOf([{ ...LOOP, mood: "dark" } as UsableTrackJson]);
  expect(compareLayouts(accepted, layoutOf([LOOP]))).toEqual([]);
});

test("[B3] reports a changed scene name for the package", () => {
  const accepted = { ...layoutOf([]), scene: { name: "Day (App)" } };
  expect(compareLayouts(accepted, layoutOf([]))).toEqual([
    { sound: null, setting: "scene", accepted: "Day (App)", now: "Night (App)" },
  ]);
});

describe("[B3] a sound that can't be used", () => {
  const { error } = LOST;
  test("differs from a usable one only in its error", () => {
    expect(compareLayouts(layoutOf([LOOP]), layoutOf([LOST]))).toEqual([
      { sound: "bass", setting: "error", accepted: undefined, now: error },
    ]);
    expect(compareLayouts(layoutOf([LOST]), layoutOf([LOOP]))).toEqual([
      { sound: "bass", setting: "error", accepted: error, now: undefined },
    ]);
  });

  test("differs in its error and its names", () => {
    const now = { ...LOST, clip: "Sub", error: "bass.wav is not a WAV file." };
    expect(compareLayouts(layoutOf([LOST]), layoutOf([now]))).toEqual([
      { sound: "bass", setting: "clip", accepted: "Bass", now: "Sub" },
      { sound: "bass", setting: "error", accepted: error, now: now.error },
    ]);
  });
});

test("[B3] a renamed sound that becomes unusable differs in names and error, in both directions", () => {
  const renamed = { ...LOST, track: "Sub (App)", clip: "Sub", kind: "oneshot" } as const;
  const settings = (accepted: LayoutJson["tracks"], now: LayoutJson["tracks"]) =>
    compareLayouts(layoutOf(accepted), layoutOf(now)).map(({ setting }) => setting);
  expect(settings([LOOP], [renamed])).toEqual(["track", "clip", "kind", "error"]);
  expect(settings([renamed], [LOOP])).toEqual(["track", "clip", "kind", "error"]);
});

test("[B3] a warning with an added or removed member is different", () => {
  const plain = { code: "CUT", message: "It was cut." };
  const full = { ...plain, field: "name" };
  for (const [accepted, now] of [
    [plain, full],
    [full, plain],
  ] as const) {
    expect(compareLayouts(layoutOf([], [accepted]), layoutOf([], [now]))).toEqual([
      { sound: null, setting: "warnings", accepted: [accepted], now: [now] },
    ]);
  }
});

describe("[B3] sounds that come, go and move", () => {
  test("are present or missing, without moving the others", () => {
    expect(compareLayouts(ordered("abcd"), ordered("xacdy"))).toEqual([
      { sound: "x", setting: "presence", accepted: undefined, now: "Clip x" },
      { sound: "y", setting: "presence", accepted: undefined, now: "Clip y" },
      { sound: "b", setting: "presence", accepted: "Clip b", now: undefined },
    ]);
  });

  test.each([
    ["abcde", "acbde", "bc", "cb"],
    ["abcde", "ebcda", "abcde", "ebcda"],
    ["abc", "xcab", "abc", "cab"],
    ["ab", "ba", "ab", "ba"],
  ])("change their order: %s → %s", (before, after, accepted, now) => {
    const [first] = compareLayouts(ordered(before), ordered(after));
    expect(first).toEqual({
      sound: null,
      setting: "order",
      accepted: accepted.split(""),
      now: now.split(""),
    });
  });
});

test("[B3] reports warnings for their sound, or for the package if they have none", () => {
  const warn = (message: string, sound?: string) => ({
    code: "CUT",
    message,
    ...(sound !== undefined && { sound }),
  });
  const accepted = layoutOf([LOOP], [warn("one"), warn("two", "bass"), warn("three", "gone")]);
  const now = layoutOf([LOOP], [warn("one"), warn("four", "bass")]);
  expect(compareLayouts(accepted, now)).toEqual([
    {
      sound: null,
      setting: "warnings",
      accepted: [warn("one"), warn("three", "gone")],
      now: [warn("one")],
    },
    {
      sound: "bass",
      setting: "warnings",
      accepted: [warn("two", "bass")],
      now: [warn("four", "bass")],
    },
  ]);
});

/** The same object with its members the other way round. */
function turn<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).toReversed()) as Value;
}
