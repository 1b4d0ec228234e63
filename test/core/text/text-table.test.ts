import { expect, test } from "vitest";
import { formatTable } from "../../../core/text/text-table.ts";

test("columns are as wide as their widest cell", () => {
  const columns = [
    { heading: "App", align: "left" },
    { heading: "Sounds", align: "right" },
    { heading: "Seen", align: "left" },
  ] as const;
  expect(
    formatTable(columns, [
      ["ループ", "3", "today"],
      ["Looper", "12"],
    ]),
  ).toEqual([
    "App     Sounds  Seen",
    "──────  ──────  ─────",
    "ループ       3  today",
    "Looper      12",
  ]);
});

test("a table without rows has only its headings", () => {
  expect(formatTable([{ heading: "App", align: "left" }], [])).toEqual(["App", "───"]);
});

test("lines have no trailing spaces, and a missing cell is empty", () => {
  const columns = [
    { heading: "A", align: "right" },
    { heading: "Long", align: "left" },
  ] as const;
  expect(formatTable(columns, [["10", "x"], ["1"]])).toEqual([
    " A  Long",
    "──  ────",
    "10  x",
    " 1",
  ]);
});
