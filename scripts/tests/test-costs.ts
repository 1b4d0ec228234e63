import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILE = join(import.meta.dirname, "../../node_modules/.cache/test-costs.json");

/** Processor time of each test file in milliseconds, by its path from the root, as its last run measured it. */
export type TestCosts = Readonly<Record<string, number>>;

export function readTestCosts(): TestCosts {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}

/** Replaces the costs of the files that ran, and keeps those of the others. */
export function writeTestCosts(costs: TestCosts): void {
  mkdirSync(dirname(FILE), { recursive: true });
  const written = `${FILE}.${process.pid}`;
  writeFileSync(written, JSON.stringify({ ...readTestCosts(), ...costs }));
  // Two runs at once would tear the file.
  renameSync(written, FILE);
}
