import { expect, test } from "vitest";
import { formatTable } from "../../../core/text/text-table.ts";

test("a table has columns as wide as their widest cell", () => {
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

test("a table without rows is its headings", () => {
  expect(formatTable([{ heading: "App", align: "left" }], [])).toEqual(["App", "───"]);
});

test("a table's line never ends in a space, and a cell too few is empty", () => {
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
