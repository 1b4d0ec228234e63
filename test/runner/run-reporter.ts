import { globSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";
import type { SerializedError } from "vitest";
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { missingEngines } from "../engines/programs.ts";
import { readRuleTable } from "../../scripts/tests/rule-table.ts";
import { writeTestCosts } from "../../scripts/tests/test-costs.ts";
import { kindOf, SEVERAL_RELAYS } from "../../scripts/tests/test-kinds.ts";
import { formatRepeat } from "./random-seed.ts";
import { type FinishedFile, formatClosing, formatLeftOut, type LeftOut } from "./closing-lines.ts";

const ROOT = join(import.meta.dirname, "../..");
/** With more files each one is a dot. */
const MAX_LINES = 30;
const DOTS_IN_A_LINE = 60;

/**
 * Prints a run for people: a line or a dot for each file, failures with their places, and a short closing.
 * `SOUNDFERRY_TEST_NAMES` makes it list every test file that was left out and every test that was skipped.
 */
export class RunReporter extends DefaultReporter {
  #modules: readonly TestModule[] = [];
  readonly #withNames = process.env["SOUNDFERRY_TEST_NAMES"] !== undefined;
  #expected = 0;
  #done = 0;

  constructor() {
    super({ summary: false });
  }

  override onInit(vitest: Vitest): void {
    this.ctx = vitest;
    this.silent = vitest.config.silent;
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#expected = specifications.length;
    this.#done = 0;
  }

  protected override printTestModule(module: TestModule): void {
    this.#done += 1;
    const hasFailed = module.state() === "failed";
    if (this.#expected <= MAX_LINES || hasFailed) {
      const isInDots = this.#expected > MAX_LINES && (this.#done - 1) % DOTS_IN_A_LINE > 0;
      process.stdout.write(`${isInDots ? "\n" : ""}${this.#formatModule(module)}\n`);
      return;
    }
    const isLast = this.#done === this.#expected;
    const isFull = this.#done % DOTS_IN_A_LINE === 0 || isLast;
    process.stdout.write(isFull ? `. ${this.#done} of ${this.#expected}\n` : ".");
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    this.#modules = modules;
    if (modules.length === 0 && errors.length === 0) {
      const lines = ["No test file fits.", ...formatLeftOut(this.#leftOut([]), this.#withNames)];
      process.stdout.write(`${lines.join("\n")}\n`);
      return;
    }
    if (!process.stdout.isTTY) for (const module of modules) takeColors(module);
    super.onTestRunEnd(modules, errors, reason);
  }

  override reportTestSummary(_: unknown, errors: unknown[], leaks: number): void {
    const files = this.#modules.map((module) => this.#finished(module));
    writeTestCosts(Object.fromEntries(files.map(({ path, ms }) => [path, ms])));
    const { rules, withoutTest } = readRuleTable();
    const lines = formatClosing({
      files,
      errors: errors.length + leaks,
      seconds: (this.end - this.start) / 1000,
      rules: { count: rules.size, withoutTest },
      leftOut: this.#leftOut(files),
      repeat: (paths) => formatRepeat(paths, { script: testScript() }),
      withNames: this.#withNames,
    });
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }

  #finished(module: TestModule): FinishedFile {
    const tests = [...module.children.allTests()].filter((test) => this.#isWanted(test));
    return {
      path: module.relativeModuleId,
      tests: tests.map((test) => ({ name: test.fullName, state: test.result().state })),
      failsItself: module.state() === "failed" && module.errors().length > 0,
      ms: module.meta().processorMs ?? module.diagnostic().duration,
    };
  }

  /** Such as `✓ test/core/hex.test.ts: 12 tests, 0.3 s`. */
  #formatModule(module: TestModule): string {
    const { path, tests } = this.#finished(module);
    const isFailed = module.state() === "failed";
    const failed = tests.filter(({ state }) => state === "failed").length;
    const total = `${tests.length} ${tests.length === 1 ? "test" : "tests"}`;
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const mark = styleText(isFailed ? "red" : "green", isFailed ? "✗" : "✓");
    return `${mark} ${path}: ${failed === 0 ? "" : `${failed} failed of `}${total}, ${seconds} s`;
  }

  /** Checks whether a test was asked for: a test that `-t` filters out isn't skipped. */
  #isWanted(test: TestCase): boolean {
    const pattern = this.ctx.config.testNamePattern;
    return pattern === undefined || pattern.test(test.fullName.replaceAll(" > ", " "));
  }

  #leftOut(files: readonly FinishedFile[]): readonly LeftOut[] {
    const ran = new Set(files.map(({ path }) => path));
    // Vitest has the words of its command line there, without a type.
    const words = "filenamePattern" in this.ctx ? this.ctx.filenamePattern : undefined;
    const asked = Array.isArray(words) ? words.map(String) : [];
    const others = globSync("test/**/*.test.ts", { cwd: ROOT })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => !ran.has(path))
      .filter((path) => asked.length === 0 || asked.some((word) => path.includes(word)))
      .toSorted();
    const kinds = Map.groupBy(others, (path) => kindOf(path));
    return [...kinds].flatMap(([{ name, command }, paths]) =>
      name === undefined ? [] : [{ kind: name, command: withMissing(name, command), paths }],
    );
  }
}

/** A command that can't run everything here says so. */
function withMissing(kind: string, command: string): string {
  const missing = kind === SEVERAL_RELAYS ? missingEngines() : [];
  return [command, ...missing.map((program) => `${program} is missing`)].join("; ");
}

/** The npm script that runs these tests, also when another script started it. */
function testScript(): string | undefined {
  const script = process.env["npm_lifecycle_event"];
  return script?.startsWith("test") === true ? script : undefined;
}

/** Workers color the differences that they find, also for a file. */
function takeColors(module: TestModule): void {
  for (const test of module.children.allTests("failed")) {
    for (const error of test.result().errors ?? []) {
      if (error.diff !== undefined) error.diff = stripVTControlCharacters(error.diff);
    }
  }
}
