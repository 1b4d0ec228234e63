import { expect, test } from "vitest";
import { beatLines, peaksOf, formatOutline } from "../../core/page/peaks.ts";

test("[N6] an outline has the largest deviation of each span, over all channels", () => {
  const left = Float32Array.of(0, 0.5, -1, 0, 0, 0.25);
  const right = Float32Array.of(0, 0, 0, 0, -0.75, 0);
  expect(peaksOf([left, right], 3)).toEqual([0.5, 1, 0.75]);
  expect(peaksOf([Float32Array.of(3)], 160)).toEqual([1]);
  expect(peaksOf([new Float32Array(0)], 160)).toEqual([]);
  expect(peaksOf([], 160)).toEqual([]);
});

test("[N6] it is one path, mirrored at the middle, and silence can be seen", () => {
  expect(formatOutline([], 100, 20)).toBe("");
  expect(formatOutline([1, 0, 0.5], 100, 20)).toBe("M0 0L50 9.5L100 5L100 15L50 10.5L0 20Z");
});

test("[N6] beats are drawn where they are, and not at the start or the end", () => {
  expect(beatLines(2, 120)).toEqual([0.25, 0.5, 0.75]);
  expect(beatLines(2.25, 120)).toHaveLength(4);
  expect(beatLines(0.25, 120)).toEqual([]);
  expect(beatLines(20, 120)).toHaveLength(9);
  expect(beatLines(3600, 120)).toEqual([]);
});
