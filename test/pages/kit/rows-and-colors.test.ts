import { expect, test } from "vitest";
import { formatColor, PALETTE } from "../../../core/layout/palette.ts";
import { ENGLISH } from "../../../core/messages/en/english.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { colorKey, colorName, moveInColors } from "../../../pages/kit/clip-list/colors.ts";
import { rowOfKey, windowOf } from "../../../pages/kit/rows/rows.ts";
import { type ClipSelection, NO_SELECTION } from "../../../pages/kit/clip-list/clip-row.ts";
import {
  keepSelection,
  selectAll,
  selectOne,
  selectRange,
  toggleOne,
} from "../../../pages/kit/clip-list/select-clips.ts";

test("[X4] each of the 70 colors has a plain name of its own", () => {
  const names = PALETTE.map((_, index) => inEnglish(colorKey(index)));
  expect(names).toHaveLength(70);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(70);
  expect(names.filter((name) => !/^[A-Z][a-z]+( [a-z]+)?$/.test(name))).toEqual([]);
  expect(Object.keys(ENGLISH).filter((key) => key.startsWith("color."))).toHaveLength(71);
  expect(() => colorKey(70)).toThrow(RangeError);
  expect(() => colorKey(-1)).toThrow(RangeError);
});

test("[X4] a color has the name of the nearest one that Live has", () => {
  expect(colorName(inEnglish, "#FF3636")).toBe("Red");
  expect(colorName(inEnglish, "#FE3535")).toBe("Red");
  expect(colorName(inEnglish, "#000000")).toBe("Dark gray");
  expect(colorName(inEnglish, null)).toBe("Automatic");
});

test.each([
  ["ArrowRight", -1, 0],
  ["ArrowRight", 69, -1],
  ["ArrowLeft", -1, 69],
  ["ArrowLeft", 0, -1],
  ["ArrowDown", -1, 0],
  ["ArrowDown", 3, 17],
  ["ArrowDown", 60, -1],
  ["ArrowUp", 17, 3],
  ["ArrowUp", 3, -1],
  ["ArrowUp", -1, 56],
  ["Home", 30, -1],
  ["End", 30, 69],
  ["x", 30, null],
])("[X5] %s goes from color %i to %s", (key, from, to) => {
  expect(moveInColors(key, from, 14)).toBe(to);
  if (to !== null && to >= 0) expect(formatColor(to)).toMatch(/^#/);
});

test("[X5] in rows of 10, Up and Down keep the column too", () => {
  expect(moveInColors("ArrowDown", 3, 10)).toBe(13);
  expect(moveInColors("ArrowUp", 13, 10)).toBe(3);
  expect(moveInColors("ArrowDown", 65, 10)).toBe(-1);
  expect(moveInColors("ArrowUp", -1, 10)).toBe(60);
});

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

const rowsOf = (keys: string) => keys.split("").map((key) => ({ key }));
const selectionOf = (keys: string, active: string | null): ClipSelection => ({
  keys: new Set(keys),
  active,
});
const read = ({ keys, active }: ClipSelection) => [[...keys].join(""), active];

test("[X2] a range goes both ways, and starts over where its first row is gone", () => {
  const rows = rowsOf("abcde");
  expect(read(selectRange(rows, "d", "b"))).toEqual(["bcd", "b"]);
  expect(read(selectRange(rows, "b", "d"))).toEqual(["bcd", "d"]);
  expect(read(selectRange(rows, "x", "d"))).toEqual(["d", "d"]);
  expect(read(selectRange(rows, null, "d"))).toEqual(["d", "d"]);
});

test("[X2] all rows are selected and the active one stays; one is added and taken out again", () => {
  expect(read(selectAll(rowsOf("abc"), selectOne("b")))).toEqual(["abc", "b"]);
  expect(read(selectAll(rowsOf("abc"), NO_SELECTION))).toEqual(["abc", "a"]);
  expect(read(selectAll([], NO_SELECTION))).toEqual(["", null]);
  const both = toggleOne(selectOne("a"), "c");
  expect(read(both)).toEqual(["ac", "c"]);
  expect(read(toggleOne(both, "a"))).toEqual(["c", "a"]);
});

test.each([
  ["nothing goes", "abc", selectionOf("ab", "b"), "ab", "b"],
  ["another row goes", "ab", selectionOf("ac", "a"), "a", "a"],
  ["the active row goes: the next one", "acd", selectionOf("b", "b"), "c", "c"],
  ["the active row and those after it go: the one before", "a", selectionOf("b", "b"), "a", "a"],
  ["the active row of several goes", "acd", selectionOf("bd", "b"), "d", "c"],
  ["all go", "", selectionOf("b", "b"), "", null],
  ["a row that was never there", "abcd", selectionOf("x", "x"), "a", "a"],
])("[X3] a selection is kept when rows change: %s", (_, after, selection, keys, active) => {
  expect(read(keepSelection(selection, rowsOf(after), rowsOf("abcd")))).toEqual([keys, active]);
});

test("[X3] a selection that stays valid is the same object", () => {
  const selection = selectionOf("ab", "b");
  expect(keepSelection(selection, rowsOf("abc"), rowsOf("ab"))).toBe(selection);
});
