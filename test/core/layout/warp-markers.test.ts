import { describe, expect, test } from "vitest";
import {
  beatAt,
  lastTempo,
  secondsAt,
  type WarpMarker,
} from "../../../core/layout/warp-markers.ts";

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
