import { expect, test } from "vitest";
import { everyStatement, fileOf, SUITES, suiteOf } from "./every-statement.ts";

test("a suite that runs on both databases sends the statements of each file", async () => {
  const files = new Set((await everyStatement()).map(fileOf));
  expect([...files].filter((file) => suiteOf(file) === undefined)).toEqual([]);
  const named = Object.values(SUITES).flat();
  expect(named.filter((part) => ![...files].some((file) => file.startsWith(part)))).toEqual([]);
});
