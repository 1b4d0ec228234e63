import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ImportGraph } from "./import-graph.ts";
import { readRuleTable } from "./rule-table.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Thrown for a number that no page under `docs/` has. */
export class UnknownRuleError extends Error {}

/**
 * Test files with a title that names one of the rules, or that run a suite with such a title.
 * @throws {UnknownRuleError} with those that begin alike
 */
export function testsOfRules(rules: readonly string[]): readonly string[] {
  const table = readRuleTable();
  for (const rule of rules) if (!table.rules.has(rule)) throw unknown(rule, table.rules);
  const named = rules.flatMap((rule) => table.files.get(rule) ?? []);
  const suites = named.filter((file) => !file.endsWith(".test.ts"));
  const running = suites.length === 0 ? [] : [...filesRunning(suites)];
  return [...new Set([...named, ...running])]
    .filter((file) => file.endsWith(".test.ts"))
    .toSorted();
}

/** Files that use what a suite exports, directly or through other files of tests. */
function filesRunning(suites: readonly string[]): Iterable<string> {
  const graph = new ImportGraph();
  const found = new Map(suites.map((file) => [file, exportsOf(read(file))]));
  // A map's iteration meets what is added to it on the way.
  for (const [file, names] of found) {
    for (const namer of graph.namersOf(file)) {
      if (found.has(namer) || !namer.startsWith("test/")) continue;
      const text = read(namer);
      const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      // Who imports an index may want something else from it.
      const exported = /^export .* from /m.test(text) ? used : exportsOf(text);
      if (used.length > 0) found.set(namer, exported);
    }
  }
  return found.keys();
}

function exportsOf(text: string): readonly string[] {
  const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
  return Array.from(text.matchAll(exported), ([, name = ""]) => name);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function unknown(rule: string, rules: ReadonlySet<string>): UnknownRuleError {
  const letters = rule.replaceAll(/\d/g, "");
  const alike = [...rules].filter((one) => one.replaceAll(/\d/g, "") === letters);
  const rest =
    alike.length === 0
      ? "The pages in docs/ have them all."
      : `Those with ${letters} are ${alike.join(", ")}.`;
  return new UnknownRuleError(`There is no rule ${rule}. ${rest}`);
}
