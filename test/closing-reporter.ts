import { globSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { readRuleTable } from "./rule-table.ts";

const SLOW = ["test/slow/**/*.test.ts", "test/**/*.slow.test.ts"];

/** Ends a run with the rules that no test names, and with what was left out and why. */
export class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Set(modules.map((module) => module.relativeModuleId));
    const { count, withoutTest } = readRuleTable();
    const leftOut = globSync(SLOW, { cwd: join(import.meta.dirname, "..") })
      .filter((file) => !ran.has(file))
      .map((file) => `  ${file}: slow or in need of a network; npm run test:slow runs it`);
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map(
        (test) => `  ${module.relativeModuleId}: ${test.fullName}`,
      ),
    );
    const lines = [
      "",
      `Rules without a test (of ${count}): ${withoutTest.length === 0 ? "none" : withoutTest.join(", ")}`,
      `Left out: ${leftOut.length + skipped.length === 0 ? "nothing" : ""}`,
      ...leftOut,
      ...skipped,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}
