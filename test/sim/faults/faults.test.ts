import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATABASE_FAULTS } from "./database-faults.ts";
import { DISK_FAULTS } from "./disk-faults.ts";
import { formatMatrix } from "./fault.ts";
import { OTHER_FAULTS } from "./other-faults.ts";

const PAGE = join(import.meta.dirname, "../../..", "docs", "build", "testing.md");

test("the matrix has D1 to D10, and the page about testing shows it", () => {
  const all = [...DATABASE_FAULTS, ...DISK_FAULTS, ...OTHER_FAULTS];
  const numbers = Array.from({ length: 10 }, (_, at) => `D${at + 1}`);
  const sorted = numbers.flatMap((number) => all.filter(({ name }) => name === number));
  expect([all.length, sorted.map(({ name }) => name)]).toEqual([10, numbers]);
  expect(readFileSync(PAGE, "utf8")).toContain(formatMatrix(sorted));
});
