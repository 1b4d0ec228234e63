import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ImportGraph } from "../tests/import-graph.ts";
import { readTestCosts } from "../tests/test-costs.ts";
import { findAffectedTests } from "./affected-tests.ts";
import { findChanged } from "./changed-files.ts";
import { affectedProjects } from "./types-projects.ts";

// Checks what a change needs: types, lint and format of what changed, and the tests that it reaches.

const ROOT = join(import.meta.dirname, "../..");
/** Processor time of tests: with the other steps half a minute on two cores. */
const TESTS_BUDGET_MS = 15_000;
const FAST_PROJECTS = ["fast", "isolated", "mocked"].flatMap((name) => ["--project", name]);
const LINTED = /\.(?:tsx?|[cm]?js)$/;
const TYPED = /\.(?:tsx?|[cm]?js|json)$/;
const FORMATTED = /\.(?:tsx?|[cm]?js|jsonc?|css|html|ya?ml)$/;

const { values } = parseArgs({
  options: { base: { type: "string" }, all: { type: "boolean", default: false } },
});
const { base, files } = findChanged(values.base);
if (files.length === 0) {
  process.stdout.write(`Nothing has changed since ${base}. npm test runs every test.\n`);
} else {
  await check();
}

async function check(): Promise<void> {
  const graph = new ImportGraph();
  const there = files.filter(({ isDeleted }) => !isDeleted).map(({ path }) => path);
  const typed = files.map(({ path }) => path).filter((path) => TYPED.test(path));
  const budgetMs = values.all ? Infinity : TESTS_BUDGET_MS;
  const tests = findAffectedTests(files, graph, readTestCosts(), budgetMs);
  process.stdout.write(`${count(files.length, "file")} changed since ${base}.\n`);
  const projects = affectedProjects([...graph.reaching(typed).keys()]);
  const linted = there.filter((path) => LINTED.test(path));
  const formatted = there.filter((path) => FORMATTED.test(path));
  await Promise.all([
    run("types", "scripts/check-types.ts", projects),
    run("lint", "node_modules/oxlint/bin/oxlint", linted, ["--type-aware", "--deny-warnings"]),
    run("format", "node_modules/oxfmt/bin/oxfmt", formatted, [
      "--check",
      "--no-error-on-unmatched-pattern",
    ]),
    run("tests", "scripts/run-tests.ts", tests.chosen, FAST_PROJECTS),
  ]);
  const { farther, others } = tests;
  const leftOut = [
    farther.length > 0 &&
      `${count(farther.length, "test file")} that the change reaches from farther away (npm run check -- --all)`,
    others.length > 0 && count(others.length, "slow file"),
  ].filter((part) => part !== false);
  if (leftOut.length > 0) process.stdout.write(`Left out: ${leftOut.join(", ")}\n`);
}

/** Runs a step, and prints what it printed if it fails. */
async function run(
  step: string,
  script: string,
  targets: readonly string[],
  flags: readonly string[] = [],
): Promise<void> {
  if (targets.length === 0) {
    process.stdout.write(`${step}: nothing to check\n`);
    return;
  }
  const start = performance.now();
  const running = spawn(process.execPath, [join(ROOT, script), ...flags, ...targets], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => running.on("close", resolve));
  const [out, errors, status] = await Promise.all([
    text(running.stdout),
    text(running.stderr),
    ended,
  ]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const last = step === "tests" ? `, ${out.trimEnd().split("\n").at(-1)}` : "";
  process.stdout.write(`${step}: ${status === 0 ? "good" : "FAILED"}${last} (${seconds} s)\n`);
  if (status === 0) return;
  process.stdout.write(`${errors}${out}\n`);
  process.exitCode = 1;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
