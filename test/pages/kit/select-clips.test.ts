import { expect, test } from "vitest";
import { type ClipSelection, NO_SELECTION } from "../../../pages/kit/clip-list/clip-row.ts";
import {
  keepSelection,
  selectAll,
  selectOne,
  selectRange,
  toggleOne,
} from "../../../pages/kit/clip-list/select-clips.ts";

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
