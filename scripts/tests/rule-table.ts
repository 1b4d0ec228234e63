import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { choose } from "../../cli/conformance/choice.ts";

const ROOT = join(import.meta.dirname, "../..");
const TITLE = /["'`]((?:\[[A-Z]+\d+\])+) ?[^"'`]/g;

/** The tests that run the conformance kit: its ordinary checks, and those that need time or use up a limit. */
const KIT_TESTS = {
  ordinary: "test/relay/http/conformance.test.ts",
  needy: "test/cli/conformance/conformance.slow.test.ts",
} as const;

/** All rules, and those that test titles start with. */
export interface RuleTable {
  readonly withoutTest: readonly string[];
  /** Numbers that a test names and no page under `docs/` has. */
  readonly unknown: readonly string[];
  readonly rules: ReadonlySet<string>;
  /** Files with a title that names a rule, by rule; paths from the root, with slashes. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares the rules in `docs/` with the titles of all tests, slow ones too, of the suites that tests run, and of the
 * conformance kit's checks.
 */
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
  for (const { rule, needs } of choose({ needs: new Set() }).checks) {
    const path = needs === undefined ? KIT_TESTS.ordinary : KIT_TESTS.needy;
    const known = files.get(rule) ?? [];
    if (!known.includes(path)) files.set(rule, [...known, path]);
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
