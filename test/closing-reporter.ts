import { globSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { readRuleTable } from "./rule-table.ts";

const SLOW = ["test/slow/**/*.test.ts", "test/**/*.slow.test.ts"];

/** Ends a run with the rules that no test names, and with what was skipped and why. */
export class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Set(modules.map((module) => module.relativeModuleId));
    const { rules, withoutTest } = readRuleTable();
    const leftOut = globSync(SLOW, { cwd: join(import.meta.dirname, "..") }).filter(
      (file) => !ran.has(file),
    );
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map(
        (test) => `${module.relativeModuleId}: ${test.fullName}`,
      ),
    );
    const lines = [
      "",
      `Rules without a test (of ${rules.size}): ${withoutTest.length === 0 ? "none" : withoutTest.join(", ")}`,
      ...list("Left out as slow, for npm run test:slow", leftOut.toSorted()),
      ...list("Skipped, because something for it is missing here", skipped),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

function list(heading: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [`${heading}: nothing`];
  return [`${heading}:`, ...entries.map((entry) => `  ${entry}`)];
}
