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
import * as fc from "fast-check";
import {
  COLOR_ROTATION,
  colorOfTurn,
  formatColor,
  nearestColor,
  oklabDistance,
  oklabOf,
  PALETTE,
} from "../../../core/layout/palette.ts";

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

describe("the palette", () => {
  test("[T4] has 70 distinct entries, with Live's first and last", () => {
    expect(new Set(PALETTE).size).toBe(70);
    expect(formatColor(0)).toBe("#FF94A6");
    expect(formatColor(20)).toBe("#00BFAF");
    expect(formatColor(69)).toBe("#3C3C3C");
    // The weighted sum covers the other entries and their order.
    expect(PALETTE.reduce((sum, rgb, index) => sum + rgb * (index + 1), 0)).toBe(24_033_596_189);
  });

  test.each([-1, 70, 0.5])("has no entry %d", (index) => {
    expect(() => formatColor(index)).toThrow(new RangeError(`The palette has no color ${index}.`));
  });
});

describe("OKLab", () => {
  test.each([
    ["white", 0xffffff, 1, 0, 0],
    ["black", 0x000000, 0, 0, 0],
    ["red", 0xff0000, 0.628, 0.225, 0.126],
    ["green", 0x00ff00, 0.866, -0.234, 0.179],
    ["blue", 0x0000ff, 0.452, -0.032, -0.312],
    ["a gray that is nearly black", 0x0a0a0a, 0.145, 0, 0],
  ])("[T4] matches the published value of %s", (_, rgb, lightness, a, b) => {
    const lab = oklabOf(rgb);
    expect(lab.lightness).toBeCloseTo(lightness, 3);
    expect(lab.a).toBeCloseTo(a, 3);
    expect(lab.b).toBeCloseTo(b, 3);
  });
});

describe("the nearest color", () => {
  test("[T4] of a palette entry is that entry", () => {
    const nearest = PALETTE.map((_, index) => nearestColor(formatColor(index)));
    expect(nearest).toEqual([...PALETTE.keys()]);
  });

  test("[T4] has no nearer entry", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
        const nearest = nearestColor(`#${rgb.toString(16).padStart(6, "0").toUpperCase()}`);
        const distances = PALETTE.map((entry) => oklabDistance(oklabOf(entry), oklabOf(rgb)));
        expect(distances.every((distance) => distance >= (distances[nearest] ?? 0))).toBe(true);
      }),
    );
  });

  test("[T4] is perceptual, not by RGB", () => {
    // In RGB the nearest to this green is the far lighter #3DC300.
    expect(formatColor(nearestColor("#008000"))).toBe("#539F31");
  });

  test("[T4] of a tie is the lower index", () => {
    expect(nearestColor("#336699", [0xffffff, 0x336600, 0x336600])).toBe(1);
  });
});

describe("the rotation", () => {
  const labs = COLOR_ROTATION.map((index) => oklabOf(PALETTE[index] ?? Number.NaN));

  test("[T4] has well-separated, saturated palette entries", () => {
    for (const [index, lab] of labs.entries()) {
      expect(Math.hypot(lab.a, lab.b)).toBeGreaterThanOrEqual(0.12);
      expect(lab.lightness).toBeGreaterThanOrEqual(0.4);
      expect(lab.lightness).toBeLessThanOrEqual(0.95);
      for (const other of labs.slice(index + 1)) {
        expect(oklabDistance(lab, other)).toBeGreaterThanOrEqual(0.13);
      }
    }
  });

  test("[T4] keeps consecutive colors far apart, including at the wrap-around", () => {
    for (const [turn] of labs.entries()) {
      const [here, next] = [colorOfTurn(turn), colorOfTurn(turn + 1)].map((index) =>
        oklabOf(PALETTE[index] ?? Number.NaN),
      );
      expect(here && next && oklabDistance(here, next)).toBeGreaterThanOrEqual(0.2);
    }
  });

  test("[T4] is fixed and wraps around", () => {
    expect(colorOfTurn(0)).toBe(10);
    expect(colorOfTurn(1)).toBe(5);
    expect(colorOfTurn(COLOR_ROTATION.length)).toBe(colorOfTurn(0));
    expect(new Set(COLOR_ROTATION).size).toBe(14);
  });

  test.each([-1, 0.5, Number.NaN])("has no turn %d", (turn) => {
    expect(() => colorOfTurn(turn)).toThrow(new RangeError(`${turn} is not a turn.`));
  });
});
