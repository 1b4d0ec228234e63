import { expect, test } from "vitest";
import { readRuleTable } from "./rule-table.ts";

test("every rule has a test, and every number that a test names is a rule", () => {
  const { count, withoutTest, unknown } = readRuleTable();
  expect(count).toBeGreaterThan(70);
  expect(withoutTest).toEqual([]);
  expect(unknown).toEqual([]);
});
