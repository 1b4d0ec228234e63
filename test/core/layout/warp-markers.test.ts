import {
  beatAt,
  formatMarkers,
  isStraight,
  lastTempo,
  secondsAt,
  straightMarkers,
  type WarpMarker,
} from "../../../core/layout/warp-markers.ts";
import { describe, expect, test } from "vitest";

/** 120 BPM for 2 s, then 60. */
const TWO_TEMPI: readonly WarpMarker[] = [
  { seconds: 1, beats: 0 },
  { seconds: 3, beats: 4 },
  { seconds: 7, beats: 8 },
];

describe("markers", () => {
  test.each([
    [1, 0],
    [2, 2],
    [3, 4],
    [5, 6],
    [0, -2],
    [8, 9],
  ])("[H4] tie second %s to beat %s, outside of them at the nearest tempo", (seconds, beats) => {
    expect(beatAt(TWO_TEMPI, seconds)).toBeCloseTo(beats, 12);
    expect(secondsAt(TWO_TEMPI, beats)).toBeCloseTo(seconds, 12);
  });

  test("[H4] have the tempo of the last segment after the last of them", () => {
    expect(lastTempo(TWO_TEMPI)).toBeCloseTo(60, 12);
    expect(lastTempo(TWO_TEMPI.slice(0, 2))).toBeCloseTo(120, 12);
  });

  test.each([0, 1])("[H4] give nothing if there are only %s", (count) => {
    const few = TWO_TEMPI.slice(0, count);
    expect(() => beatAt(few, 0)).toThrow(RangeError);
    expect(() => secondsAt(few, 0)).toThrow(RangeError);
    expect(() => lastTempo(few)).toThrow(RangeError);
  });
});

/** 8 beats in 4 s. */
const LINE = { tempoBpm: 120, endBeats: 8 };
const EXACT = { warpMarkerBeats: 1e-6, tempoBpm: 0.001 };
const START = at(0, 0);
const END = at(4, 8);
/** Live's last marker is hidden and a 64th of a beat behind the last visible one. */
const HIDDEN = at(4 + 1 / 128, 8 + 1 / 64);

function at(seconds: number, beats: number): WarpMarker {
  return { seconds, beats };
}

describe("markers on one line", () => {
  test.each<[string, readonly WarpMarker[]]>([
    ["two", [START, END]],
    ["with a hidden last one", [START, END, HIDDEN]],
    ["more, all at the tempo", [START, at(1, 2), at(2.5, 5), END, HIDDEN]],
    ["that end before the loop does", [START, at(1, 2)]],
    ["that begin after the file does", [at(1, 2), at(2, 4)]],
    ["that begin before the file does", [at(-1, -2), at(2, 4)]],
    ["with another tempo before the file", [at(-1, -3), START, END]],
    ["off by less than the tolerance", [START, at(4, 8 + 9e-7)]],
  ])("[H4] are straight: %s", (_, markers) => {
    expect(isStraight(markers, LINE, EXACT)).toBe(true);
  });

  test.each<[string, readonly WarpMarker[]]>([
    ["none", []],
    ["one", [START]],
    ["another tempo", [START, at(4, 9)]],
    ["half the tempo", [START, at(8, 8)]],
    ["a drift with the right average", [START, at(2, 4.1), END]],
    ["a drift between markers of the average", [START, at(1, 2), at(2, 3.9), at(3, 6), END]],
    ["shifted in time", [at(0.5, 0), at(4.5, 8)]],
    ["shifted by a beat", [at(0, 1), at(4, 9)]],
    ["another tempo at the end of the loop", [START, at(2, 4), at(2.5, 5.25)]],
    ["another tempo after the last visible one", [START, END, at(4 + 1 / 96, 8 + 1 / 64)]],
    ["a marker past the loop that bends its end", [START, at(3, 6), at(6, 13)]],
    ["off by more than the tolerance", [START, at(4, 8 + 2e-6)]],
    ["all at one second", [START, at(0, 8)]],
    ["not a number", [START, at(Number.NaN, 8)]],
  ])("[H4] are not straight: %s", (_, markers) => {
    expect(isStraight(markers, LINE, EXACT)).toBe(false);
  });

  test("[H4] are straight though their places are 32-bit floats", () => {
    for (const tempoBpm of [61, 90, 113, 174.5, 199]) {
      const seconds = 1200 / tempoBpm;
      const hidden = at(seconds + 60 / 64 / tempoBpm, 20 + 1 / 64);
      const floats = [START, at(seconds, 20), hidden].map((marker) =>
        at(Math.fround(marker.seconds), Math.fround(marker.beats)),
      );
      const line = { tempoBpm, endBeats: 20 };
      expect(isStraight(floats, line, { warpMarkerBeats: 2e-6, tempoBpm: 1e-5 })).toBe(true);
    }
  });

  test("[H4] count as straight as far as the tolerances go", () => {
    const near = [START, at(4, 8.007)];
    expect(isStraight(near, LINE, { warpMarkerBeats: 0.008, tempoBpm: 0.12 })).toBe(true);
    expect(isStraight(near, LINE, { warpMarkerBeats: 0.008, tempoBpm: 0.1 })).toBe(false);
    expect(isStraight(near, LINE, { warpMarkerBeats: 0.006, tempoBpm: 0.12 })).toBe(false);
  });
});

test("[S7] markers as a text, to the millionth", () => {
  expect(formatMarkers(straightMarkers(LINE))).toBe("0 s = beat 0, 4 s = beat 8");
  expect(formatMarkers([at(-0.5, -1), at(1 / 3, 2e-6)])).toBe(
    "-0.5 s = beat -1, 0.333333 s = beat 0.000002",
  );
  expect(formatMarkers([])).toBe("none");
});
