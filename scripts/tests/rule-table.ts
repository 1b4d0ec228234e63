import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const TITLE = /["'`]((?:\[[A-Z]+\d+\])+) ?[^"'`]/g;

/** All rules, and those that test titles start with. */
export interface RuleTable {
  readonly withoutTest: readonly string[];
  /** Numbers that a test names and no page under `docs/` has. */
  readonly unknown: readonly string[];
  readonly rules: ReadonlySet<string>;
  /** Files with a title that names a rule, by rule; paths from the root, with slashes. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** Compares the rules in `docs/` with the titles of all tests, slow ones too, and of the suites that tests run. */
export function readRuleTable(): RuleTable {
  const rules = new Set(
    readAll(["docs"], ".md").flatMap(({ text }) =>
      [...text.matchAll(/^\*\*([A-Z]+\d+)\*\*/gm)].map(([, rule = ""]) => rule),
    ),
  );
  const files = new Map<string, string[]>();
  for (const { path, text } of readAll(["test"], ".ts")) {
    const groups = [...text.matchAll(TITLE)].flatMap(([, group = ""]) => group.split(/[[\]]+/));
    for (const rule of new Set(groups)) {
      if (rule !== "") files.set(rule, [...(files.get(rule) ?? []), path]);
    }
  }
  return {
    withoutTest: [...rules].filter((rule) => !files.has(rule)),
    unknown: [...files.keys()].filter((rule) => !rules.has(rule)),
    rules,
    files,
  };
}

function readAll(folders: readonly string[], ending: string) {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(ending))
      .map((file) => ({
        path: `${folder}/${file.replaceAll("\\", "/")}`,
        text: readFileSync(join(ROOT, folder, file), "utf8"),
      })),
  );
}
