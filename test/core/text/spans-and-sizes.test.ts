import { inEnglish } from "../../../core/messages/translate.ts";
import { formatBytes, formatNumber } from "../../../core/text/format-number.ts";
import { formatDuration, formatSpan, formatWait } from "../../../core/text/format-span.ts";
import { expect, test, describe } from "vitest";
import { nameSetting, formatDifference, formatSetting } from "../../../core/text/format-setting.ts";

test.each([
  [-1, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [3599, "59 min"],
  [3600, "1 h"],
  [3660, "1 h 1 min"],
  [7200, "2 h"],
  [84_900, "23 h 35 min"],
])("a span of %d s has at most two units: %s", (seconds, text) => {
  expect(formatSpan(inEnglish, seconds)).toBe(text);
});

test.each([
  [0, "0.1 s"],
  [0.44, "0.4 s"],
  [9.94, "9.9 s"],
  [10, "10 s"],
  [12.4, "12 s"],
  [59.4, "59 s"],
  [60, "1:00"],
  [185.9, "3:05"],
  [3600, "60:00"],
])("a sound of %d s lasts %s", (seconds, text) => {
  expect(formatDuration(inEnglish, seconds)).toBe(text);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [48_300_000, "48.3 MB"],
  [999_949_999, "999.9 MB"],
  [999_950_000, "1 GB"],
  [1_250_000_000, "1.3 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(inEnglish, bytes)).toBe(text);
});

test.each([
  [0, "0"],
  [120, "120"],
  [93.75, "93.75"],
  [100.809073, "100.809"],
  [7.9996, "8"],
  [0.0005, "0.001"],
  [0.00002083, "0.00002"],
])("formats %d as %s", (n, text) => {
  expect(formatNumber(n)).toBe(text);
});

test.each([
  [1.25, 1, "1.3"],
  [2.04, 1, "2"],
  [0.04, 1, "0.04"],
  [7.6, 0, "8"],
])("formats %d with at most %d decimals as %s", (n, decimals, text) => {
  expect(formatNumber(n, decimals)).toBe(text);
});

test.each([
  ["track", "Track name", "Kick (App)", "“Kick (App)”"],
  ["clip", "Clip name", "Kick", "“Kick”"],
  ["file", "File", "Kick.wav", "“Kick.wav”"],
  ["warping", "Warp", true, "on"],
  ["warp_mode", "Warp mode", "complex_pro", "Complex Pro"],
  ["looping", "Loop", false, "off"],
  ["loop_beats", "Loop length", 4, "4 beats"],
  ["start", "Start", -0.25, "−0.25 s"],
  ["loop_start", "Loop start", 1.5, "1.5 s"],
  ["warp_markers", "Warp markers", "0 s = beat 0", "0 s = beat 0"],
  ["tempo_bpm", "Tempo", 97.3, "97.3 BPM"],
  ["color_index", "Color", 10, "#92A7FF"],
  ["gain_db", "Gain", -6.5, "−6.5 dB"],
  ["kind", "Kind", "oneshot", "one-shot"],
  ["error", "Problem", "kick.wav is not there.", "kick.wav is not there."],
  ["notes", "Notes", ["One.", "Two."], "One., Two."],
  ["warnings", "Warnings", [{ code: "CUT", message: "It was cut." }], "It was cut."],
  ["scene", "Scene name", "Night (App)", "“Night (App)”"],
  ["order", "Order", ["b", "a"], "b, a"],
  ["presence", "Sound", "Kick", "“Kick”"],
])("%s is labeled %s and formats its value", (setting, name, value, said) => {
  expect(nameSetting(inEnglish, setting)).toBe(name);
  expect(formatSetting(inEnglish, setting, value)).toBe(said);
});

test("unknown settings keep their name and value, including names every object inherits", () => {
  for (const setting of ["swing", "toString", "__proto__"]) {
    expect(nameSetting(inEnglish, setting)).toBe(setting);
    expect(formatSetting(inEnglish, setting, 0.5)).toBe("0.5");
  }
});

describe("a value of the wrong type", () => {
  test.each([
    ["warping", "yes", "yes"],
    ["looping", null, "none"],
    ["warp_mode", "slow", "slow"],
    ["warp_mode", "toString", "toString"],
    ["warp_mode", 3, "3"],
    ["loop_beats", "long", "long"],
    ["color_index", 99, "99"],
    ["color_index", "red", "red"],
    ["kind", "loop", "loop"],
    ["notes", [], "none"],
    ["notes", [null, true], "none, true"],
    ["warnings", { code: "CUT" }, "none"],
  ])("is shown unchanged: %s %j", (setting, value, said) => {
    expect(formatSetting(inEnglish, setting, value)).toBe(said);
  });
});

test("undefined is none; null is guessed for a loop and a dash for a one-shot", () => {
  expect(formatSetting(inEnglish, "tempo_bpm", undefined)).toBe("none");
  expect(formatSetting(inEnglish, "tempo_bpm", undefined, "loop")).toBe("none");
  expect(formatSetting(inEnglish, "tempo_bpm", null, "loop")).toBe("guessed");
  expect(formatSetting(inEnglish, "tempo_bpm", null, "oneshot")).toBe("–");
  expect(formatSetting(inEnglish, "color_index", null, "loop")).toBe("automatic");
  expect(formatSetting(inEnglish, "color_index", null, "oneshot")).toBe("automatic");
  expect(formatSetting(inEnglish, "color_index", null)).toBe("none");
  expect(formatSetting(inEnglish, "tempo_bpm", null)).toBe("none");
  expect(formatSetting(inEnglish, "tempo_bpm", 63, "loop")).toBe("63 BPM");
});

test("a gain of 0 has no sign", () => {
  expect([0, 3].map((gain) => formatSetting(inEnglish, "gain_db", gain))).toEqual(["0 dB", "3 dB"]);
});

test("formats a difference as one sentence", () => {
  expect(formatDifference(inEnglish, { setting: "tempo_bpm", asked: 126, got: 63 })).toBe(
    "Tempo: asked for 126 BPM, got 63 BPM.",
  );
  expect(formatDifference(inEnglish, { setting: "loop_beats", asked: 4, got: null })).toBe(
    "Loop length: asked for 4 beats, got none.",
  );
});

test("[AD9] a wait is never shown shorter than it is", () => {
  const waits = [1, 59, 60, 61, 3600, 3601, 86_400].map(formatWait);
  expect(waits).toEqual(["1 s", "59 s", "1 min", "2 min", "1 h", "1 h 1 min", "24 h"]);
});
