import { testsOfRules } from "./tests-of-rule.ts";

/** The meaning of the words after `npm test --` for a run of tests. */
export interface TestRun {
  /** Words for Vitest. */
  readonly words: readonly string[];
  /** Lists every file that was left out and every test that was skipped. */
  readonly withNames: boolean;
}

const RULE = /^\[?([A-Z]+\d+)\]?$/;

/**
 * Understands `--names`, and rules such as `U4` or `[U4]`, which become the files and titles that name them.
 * Everything else is Vitest's: a folder or file, or a flag.
 * @throws {UnknownRuleError}
 */
export function parseTestWords(given: readonly string[]): TestRun {
  const withNames = given.includes("--names");
  const words = given.filter((word) => word !== "--names");
  const rules = words.flatMap((word) => RULE.exec(word)?.[1] ?? []);
  if (rules.length === 0) return { words, withNames };
  const others = words.filter((word) => !RULE.test(word));
  const hasPlaces = others.some((word) => word.startsWith("test/"));
  const files = testsOfRules(rules);
  const title = ["-t", `\\[(?:${rules.join("|")})\\]`];
  return { words: [...others, ...title, ...(hasPlaces ? [] : files)], withNames };
}
