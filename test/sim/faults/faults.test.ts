import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATABASE_FAULTS } from "./database-faults.ts";
import { DISK_FAULTS } from "./disk-faults.ts";
import { OTHER_FAULTS } from "./other-faults.ts";

const PAGE = join(import.meta.dirname, "../../..", "docs", "build", "testing.md");

test("there are D1 to D10, and the page about testing names each", () => {
  const all = [...DATABASE_FAULTS, ...DISK_FAULTS, ...OTHER_FAULTS];
  const numbers = Array.from({ length: 10 }, (_, at) => `D${at + 1}`);
  const sorted = numbers.flatMap((number) => all.filter(({ name }) => name === number));
  expect([all.length, sorted.map(({ name }) => name)]).toEqual([10, numbers]);
  const lines = sorted.map(({ name, what }) => `- ${name}: ${what}`);
  expect(readFileSync(PAGE, "utf8")).toContain(`\n\n${lines.join("\n")}\n\n`);
});
