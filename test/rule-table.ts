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
  const rules = numbersIn("docs/rules", ".md", /^\*\*([A-Z]\d+)\*\*/gm);
  const titles = ["test", "relay/testing"].flatMap((folder) => [
    ...numbersIn(folder, ".ts", /["'`]((?:\[[A-Z]\d+\])+) ?[^"'`]/g),
  ]);
  const named = new Set(
    titles.flatMap((group) => group.split(/[[\]]+/).filter((number) => number !== "")),
  );
  return {
    withoutTest: [...rules].filter((rule) => !named.has(rule)),
    unknown: [...named].filter((number) => !rules.has(number)),
    rules,
  };
}

function numbersIn(folder: string, ending: string, pattern: RegExp): Set<string> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(ROOT, folder, file), "utf8"));
  return new Set([...texts.join("\n").matchAll(pattern)].map((match) => match[1] ?? ""));
}
