import { globSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { missingEngines } from "../scaled/engines/programs.ts";
import { formatRepeat } from "./random-seed.ts";
import { readRuleTable } from "./rule-table.ts";

const SLOW = ["test/**/*.{slow,scaled}.test.ts"];

const NIGHTLY = ["test/**/*.nightly.test.ts"];

/** Ends a run with the rules that no test names, and with what was skipped and why. */
export class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Set(modules.map((module) => module.relativeModuleId));
    const { rules, withoutTest } = readRuleTable();
    const leftOut = (patterns: readonly string[]) =>
      globSync(patterns, { cwd: join(import.meta.dirname, "..") })
        .filter((file) => !ran.has(file))
        .toSorted();
    const missing = missingEngines();
    const failed = modules.filter((module) => !module.ok()).map((one) => one.relativeModuleId);
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map(
        (test) => `${module.relativeModuleId}: ${test.fullName}`,
      ),
    );
    const lines = [
      "",
      `Rules without a test (of ${rules.size}): ${withoutTest.length === 0 ? "none" : withoutTest.join(", ")}`,
      ...list("Left out as slow, for npm run test:slow", leftOut(SLOW)),
      ...list("Left out for npm run test:nightly", leftOut(NIGHTLY)),
      ...list(
        "Programs for tests of several relays that are not installed here, so that these are left out",
        missing,
      ),
      ...list("Skipped, because something for it is missing here", skipped),
      ...(failed.length === 0 ? [] : ["", "What failed, again with the same random numbers:"]),
      ...(failed.length === 0
        ? []
        : [formatRepeat(failed, { script: process.env["npm_lifecycle_event"] })]),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

function list(heading: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [`${heading}: nothing`];
  return [`${heading}:`, ...entries.map((entry) => `  ${entry}`)];
}
