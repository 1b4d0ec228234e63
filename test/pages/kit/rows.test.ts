import { expect, test } from "vitest";
import { rowOfKey, windowOf } from "../../../pages/kit/rows/rows.ts";

test("[X1] renders what is in view and six rows around it, and the kept row wherever it is", () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index);
  expect(windowOf({ first: 0, rows: 10, count: 1_000, kept: -1 })).toEqual(numbers(0, 16));
  expect(windowOf({ first: 500, rows: 10, count: 1_000, kept: 505 })).toEqual(numbers(494, 516));
  expect(windowOf({ first: 500, rows: 10, count: 1_000, kept: 0 })).toEqual([
    0,
    ...numbers(494, 516),
  ]);
  expect(windowOf({ first: 0, rows: 10, count: 1_000, kept: 999 }).at(-1)).toBe(999);
  expect(windowOf({ first: 995, rows: 10, count: 1_000, kept: 0 }).at(-1)).toBe(999);
  // Fewer rows than it was scrolled to.
  expect(windowOf({ first: 900, rows: 10, count: 3, kept: 2 })).toEqual([0, 1, 2]);
  expect(windowOf({ first: 0, rows: 10, count: 0, kept: 0 })).toEqual([]);
});

test.each([
  ["ArrowDown", 3, 4],
  ["ArrowDown", 9, 9],
  ["ArrowDown", -1, 0],
  ["ArrowUp", 0, 0],
  ["ArrowUp", 3, 2],
  ["PageDown", 3, 7],
  ["PageDown", 8, 9],
  ["PageUp", 3, 0],
  ["Home", 5, 0],
  ["End", 5, 9],
  ["End", -1, 9],
  ["a", 5, null],
])("[X2] %s goes from row %i to %s", (key, from, to) => {
  expect(rowOfKey(key, from, { count: 10, pageRows: 4 })).toBe(to);
});

test("[X2] no key goes anywhere in an empty list", () => {
  expect(rowOfKey("ArrowDown", -1, { count: 0, pageRows: 4 })).toBeNull();
});
