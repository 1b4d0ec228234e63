import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULTS, formatMatrix } from "./faults.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "testing.md");

test("the matrix has D1 to D10, and the page about testing shows it", () => {
  expect(FAULTS.map(({ name }) => name)).toEqual(FAULTS.map((_, at) => `D${at + 1}`));
  expect(FAULTS).toHaveLength(10);
  expect(readFileSync(PAGE, "utf8")).toContain(formatMatrix(FAULTS));
});

test("every fault is played by one of the slow tests", () => {
  const slow = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".slow.test.ts"));
  const texts = slow.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const played = texts.join("\n").match(/^playFault\(\w+\);$/gm);
  expect(played).toHaveLength(FAULTS.length);
  expect(new Set(played).size).toBe(FAULTS.length);
});
