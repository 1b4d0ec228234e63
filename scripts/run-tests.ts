import { fileURLToPath } from "node:url";
import { parseTestWords } from "./tests/test-words.ts";
import { UnknownRuleError } from "./tests/tests-of-rule.ts";

// Becomes Vitest, with the words that it gets. A rule's number among them runs the tests of the rule.

const VITEST = new URL("../node_modules/vitest/vitest.mjs", import.meta.url);
const CONFIG = fileURLToPath(new URL("../test/vitest.config.ts", import.meta.url));

try {
  const { words, withNames } = parseTestWords(process.argv.slice(2));
  if (withNames) process.env["SOUNDFERRY_TEST_NAMES"] = "1";
  // Vitest colors what it writes into a file, too.
  if (!process.stdout.isTTY) process.env["FORCE_TTY"] ??= "false";
  process.argv.splice(1, Infinity, fileURLToPath(VITEST), "run", "--config", CONFIG, ...words);
  await import(VITEST.href);
} catch (error) {
  if (!(error instanceof UnknownRuleError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
