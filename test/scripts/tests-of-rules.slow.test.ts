import { expect, test } from "vitest";
import { parseTestWords } from "../../scripts/tests/test-words.ts";

test("a rule that a suite names finds the tests that run the suite", () => {
  const { words } = parseTestWords(["P4"]);
  expect(words).toContain("test/relay/storage/sqlite/sqlite-records.test.ts");
});

test("several rules are one pattern, and a folder stays the place to look", () => {
  expect(parseTestWords(["U4", "S4", "test/core"]).words).toEqual([
    "test/core",
    "-t",
    "\\[(?:U4|S4)\\]",
  ]);
});
