import { expect, test } from "vitest";
import { diffLines } from "../../../cli/layout/diff-lines.ts";

const numbers = (last: number): string[] => Array.from({ length: last }, (_, i) => String(i + 1));

test("texts that are the same differ in nothing", () => {
  expect(diffLines("a\nb\n", "a\nb\n")).toBe("");
  expect(diffLines("", "")).toBe("");
});

test("a changed line stands between its neighbours, the rest is left out", () => {
  const before = `${numbers(9).join("\n")}\n`;
  const after = before.replace("5", "five");
  expect(diffLines(before, after)).toBe(
    ["  3", "  4", "- 5", "+ five", "  6", "  7", "  ⋮"].join("\n"),
  );
});

test("changes far apart are shown apart", () => {
  const before = `${numbers(12).join("\n")}\n`;
  const after = before.replace("1\n", "").replace("12", "twelve");
  expect(diffLines(before, after)).toBe(
    ["- 1", "  2", "  3", "  ⋮", "  10", "  11", "- 12", "+ twelve"].join("\n"),
  );
});

test("a text that was not there is all new", () => {
  expect(diffLines("", "a\nb\n")).toBe("+ a\n+ b");
  expect(diffLines("a\n", "")).toBe("- a");
});
