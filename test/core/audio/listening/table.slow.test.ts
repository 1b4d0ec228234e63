import { expect, test } from "vitest";
import { hearRows } from "./heard-answers.ts";
import { readListeningTable } from "./render-row.ts";

test.each([
  ["table.tsv", 115, 40],
  ["second-table.tsv", 100, 35],
] as const)(
  "[Y10] at most 1 of 100 answers to %s is wrong, and %i rows are answered",
  (name, least, kinds) => {
    const { right, wrong, "kind only": kindOnly } = hearRows(readListeningTable(name));
    const heard = right.length + wrong.length + kindOnly.length;
    expect(wrong.length / heard).toBeLessThanOrEqual(0.01);
    expect(right.length).toBeGreaterThanOrEqual(least);
    expect(kindOnly.length).toBeGreaterThanOrEqual(kinds - 5);
  },
);
