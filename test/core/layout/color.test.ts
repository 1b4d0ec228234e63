import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  COLOR_ROTATION,
  colorOfTurn,
  formatColor,
  nearestColor,
  oklabDistance,
  oklabOf,
  PALETTE,
} from "../../../core/layout/palette.ts";

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
