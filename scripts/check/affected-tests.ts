import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportGraph } from "../tests/import-graph.ts";
import { kindOf } from "../tests/test-kinds.ts";
import type { TestCosts } from "../tests/test-costs.ts";
import type { ChangedFile } from "./changed-files.ts";

const ROOT = join(import.meta.dirname, "../..");
/** They read every text of the project. */
const ALWAYS = [
  "test/docs/words/banned-words.test.ts",
  "test/docs/words/docstrings.test.ts",
  "test/docs/words/spelling.test.ts",
  "test/rules.test.ts",
  "test/core/limits/no-copies.test.ts",
];
/** A shorter text is in too many files. */
const LEAST_UNITS = 12;
/** Assumed cost of a file that has not run here yet. */
const UNKNOWN_COST_MS = 1000;

export interface AffectedTests {
  /** The files nearest to the change, as many as the time allows. */
  readonly chosen: readonly string[];
  /** Test files of `npm test` that reach the change from farther away. */
  readonly farther: readonly string[];
  /** Test files of other commands that reach the change. */
  readonly others: readonly string[];
}

/**
 * Finds the tests that reach a change by what they import, start or read, and those that quote a text that is gone.
 * @param budgetMs processor time for those that are chosen
 */
export function findAffectedTests(
  changed: readonly ChangedFile[],
  graph: ImportGraph,
  costs: TestCosts,
  budgetMs: number,
): AffectedTests {
  const distances = new Map(graph.reaching(changed.map(({ path }) => path)));
  for (const file of testsQuoting(changed, graph.files)) distances.set(file, 0);
  for (const file of ALWAYS) distances.set(file, 0);
  const costOf = (path: string) => costs[path] ?? UNKNOWN_COST_MS;
  const tests = [...distances.keys()]
    .filter((path) => path.endsWith(".test.ts") && graph.files.includes(path))
    .toSorted((one, other) => {
      const nearer = (distances.get(one) ?? 0) - (distances.get(other) ?? 0);
      return nearer || costOf(one) - costOf(other);
    });
  const fast = tests.filter((path) => kindOf(path).name === undefined);
  let spentMs = 0;
  const end = fast.findIndex((path) => (spentMs += costOf(path)) > budgetMs);
  const count = end === -1 ? fast.length : end;
  return {
    chosen: fast.slice(0, count),
    farther: fast.slice(count),
    others: tests.filter((path) => kindOf(path).name !== undefined),
  };
}

/** Such as a test that expects the sentence that was changed. */
function testsQuoting(
  changed: readonly ChangedFile[],
  files: readonly string[],
): readonly string[] {
  const removed = changed.filter(({ path }) => !path.startsWith("test/"));
  const texts = removed.flatMap(({ removed: lines }) => lines.flatMap(quotedIn));
  if (texts.length === 0) return [];
  return files
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      return texts.some((quoted) => text.includes(quoted));
    });
}

/** Lists the quoted strings in a line of code, without the values that a template fills in. */
function quotedIn(line: string): readonly string[] {
  return Array.from(line.matchAll(/(["'`])((?:(?!\1).)+)\1/g), ([, , inner = ""]) => inner)
    .flatMap((inner) => inner.split(/\$\{[^}]*\}|\{\w+\}/))
    .map((text) => text.trim())
    .filter((text) => text.length >= LEAST_UNITS);
}
