import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLOUR_ROTATION, colourOfTurn } from "../../../core/layout/colour-rotation.ts";
import { nearestColour } from "../../../core/layout/nearest-colour.ts";
import { oklabDistance, oklabOf } from "../../../core/layout/oklab.ts";
import { PALETTE, printColour } from "../../../core/layout/palette.ts";

describe("the palette", () => {
  test("[T4] has 70 different entries, first and last as Live has them", () => {
    expect(new Set(PALETTE).size).toBe(70);
    expect(printColour(0)).toBe("#FF94A6");
    expect(printColour(20)).toBe("#00BFAF");
    expect(printColour(69)).toBe("#3C3C3C");
    // The weighted sum stands for the entries in between and their order.
    expect(PALETTE.reduce((sum, rgb, index) => sum + rgb * (index + 1), 0)).toBe(24_033_596_189);
  });

  test.each([-1, 70, 0.5])("has no entry %d", (index) => {
    expect(() => printColour(index)).toThrow(new RangeError(`The palette has no colour ${index}.`));
  });
});

describe("OKLab", () => {
  test.each([
    ["white", 0xffffff, 1, 0, 0],
    ["black", 0x000000, 0, 0, 0],
    ["red", 0xff0000, 0.628, 0.225, 0.126],
    ["green", 0x00ff00, 0.866, -0.234, 0.179],
    ["blue", 0x0000ff, 0.452, -0.032, -0.312],
    ["a grey that is nearly black", 0x0a0a0a, 0.145, 0, 0],
  ])("[T4] has %s where its author puts it", (_, rgb, lightness, a, b) => {
    const colour = oklabOf(rgb);
    expect(colour.lightness).toBeCloseTo(lightness, 3);
    expect(colour.a).toBeCloseTo(a, 3);
    expect(colour.b).toBeCloseTo(b, 3);
  });
});

describe("the nearest colour", () => {
  test("[T4] of a palette entry is that entry", () => {
    const nearest = PALETTE.map((_, index) => nearestColour(printColour(index)));
    expect(nearest).toEqual([...PALETTE.keys()]);
  });

  test("[T4] is one that no other entry is nearer than", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
        const nearest = nearestColour(`#${rgb.toString(16).padStart(6, "0").toUpperCase()}`);
        const distances = PALETTE.map((entry) => oklabDistance(oklabOf(entry), oklabOf(rgb)));
        expect(distances.every((distance) => distance >= (distances[nearest] ?? 0))).toBe(true);
      }),
    );
  });

  test("[T4] is judged by the eye, not by RGB", () => {
    // In RGB the nearest to this green is the far lighter #3DC300.
    expect(printColour(nearestColour("#008000"))).toBe("#539F31");
  });

  test("[T4] of two that are equally near is the lower one", () => {
    expect(nearestColour("#336699", [0xffffff, 0x336600, 0x336600])).toBe(1);
  });
});

describe("the rotation", () => {
  const colours = COLOUR_ROTATION.map((index) => oklabOf(PALETTE[index] ?? Number.NaN));

  test("[T4] holds well-separated, clear entries of the palette", () => {
    for (const [index, colour] of colours.entries()) {
      expect(Math.hypot(colour.a, colour.b)).toBeGreaterThanOrEqual(0.12);
      expect(colour.lightness).toBeGreaterThanOrEqual(0.4);
      expect(colour.lightness).toBeLessThanOrEqual(0.95);
      for (const other of colours.slice(index + 1)) {
        expect(oklabDistance(colour, other)).toBeGreaterThanOrEqual(0.13);
      }
    }
  });

  test("[T4] gives packages in a row colours that differ most, also where it begins again", () => {
    for (const [turn] of colours.entries()) {
      const [here, next] = [colourOfTurn(turn), colourOfTurn(turn + 1)].map((index) =>
        oklabOf(PALETTE[index] ?? Number.NaN),
      );
      expect(here && next && oklabDistance(here, next)).toBeGreaterThanOrEqual(0.2);
    }
  });

  test("[T4] is fixed and begins again after its last colour", () => {
    expect(colourOfTurn(0)).toBe(10);
    expect(colourOfTurn(1)).toBe(5);
    expect(colourOfTurn(COLOUR_ROTATION.length)).toBe(colourOfTurn(0));
    expect(new Set(COLOUR_ROTATION).size).toBe(14);
  });

  test.each([-1, 0.5, Number.NaN])("has no turn %d", (turn) => {
    expect(() => colourOfTurn(turn)).toThrow(new RangeError(`${turn} is not a turn.`));
  });
});
