import { expect, test } from "vitest";
import { formatColor, PALETTE } from "../../../core/layout/palette.ts";
import { ENGLISH } from "../../../core/messages/en/english.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { colorKey, colorName, moveInColors } from "../../../pages/kit/clip-list/colors.ts";

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
