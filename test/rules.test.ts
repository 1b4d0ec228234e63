import { expect, test } from "vitest";
import { readRuleTable } from "../scripts/tests/rule-table.ts";

test("every rule has a test, and every number in a test's title is a rule", () => {
  const { rules, withoutTest, unknown } = readRuleTable();
  expect(rules.size).toBeGreaterThan(70);
  expect(withoutTest).toEqual([]);
  expect(unknown).toEqual([]);
});
