import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** All rules, and those that test titles start with. */
export interface RuleTable {
  readonly withoutTest: readonly string[];
  /** Numbers that a test names and no page under `docs/rules/` has. */
  readonly unknown: readonly string[];
  readonly rules: ReadonlySet<string>;
}

/** Compares `docs/rules/` with the titles of all tests, slow ones too, and of the suites that tests run. */
export function readRuleTable(): RuleTable {
  const rules = numbersIn(["docs/rules"], ".md", /^\*\*([A-Z]+\d+)\*\*/gm);
  const named = new Set(
    [...numbersIn(["test", "relay/testing"], ".ts", /["'`]((?:\[[A-Z]+\d+\])+) ?[^"'`]/g)].flatMap(
      (group) => group.split(/[[\]]+/).filter((number) => number !== ""),
    ),
  );
  return {
    withoutTest: [...rules].filter((rule) => !named.has(rule)),
    unknown: [...named].filter((number) => !rules.has(number)),
    rules,
  };
}

function numbersIn(folders: readonly string[], ending: string, pattern: RegExp): Set<string> {
  const texts = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(ending))
      .map((file) => readFileSync(join(ROOT, folder, file), "utf8")),
  );
  return new Set([...texts.join("\n").matchAll(pattern)].map((match) => match[1] ?? ""));
}
