import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import type { Part } from "./parts.ts";

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const ROOT = join(import.meta.dirname, "../..");

/** A change of the code, and whether a test noticed. */
export interface Change {
  /** From the root, with slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Such as `ConditionalExpression`. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** `left out`: a comment at the line says why. */
  readonly fate: "killed" | "timed out" | "survived" | "without a test" | "left out";
}

const FATES: Readonly<Record<MutantResult["status"], Change["fate"] | undefined>> = {
  Killed: "killed",
  // The module could not even be loaded.
  RuntimeError: "killed",
  Timeout: "timed out",
  Survived: "survived",
  NoCoverage: "without a test",
  Ignored: "left out",
  CompileError: undefined,
  Pending: undefined,
};

/**
 * Changes one place of a part after the other, and runs the tests that reach it.
 * @param mode `again` keeps what the run before found, and tries only what it missed or what has changed since;
 *   `once` remembers nothing
 */
export async function tryPart(
  part: Part,
  mode: "whole" | "again" | "once",
): Promise<readonly Change[]> {
  process.env["SOUNDFERRY_MUTATE_TESTS"] = JSON.stringify(part.tests);
  const name = part.folder.replaceAll("/", "-");
  const stryker = new Stryker({
    mutate: [...part.mutate, "!**/*.d.ts"],
    plugins: ["@stryker-mutator/vitest-runner"],
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutate/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 2,
    // On top of three times what a test takes otherwise; most changes that hang are found by counting their turns.
    timeoutMS: 5_000,
    timeoutFactor: 3,
    // It reads the file with a part of TypeScript that version 7 no longer has.
    tsconfigFile: "no-such-tsconfig.json",
    disableTypeChecks: false,
    tempDirName: `dist/mutate/sandbox-${name}`,
    ignorePatterns: ["dist", "coverage", "docs/images"],
    incremental: mode !== "once",
    incrementalFile: `dist/mutate/${name}.json`,
    force: mode !== "again",
    reporters: ["html", "progress-append-only"],
    htmlReporter: { fileName: `dist/mutate/${name}.html` },
    thresholds: { high: 100, low: 0, break: null },
    allowConsoleColors: false,
    allowEmpty: false,
  });
  const results = await stryker.runMutationTest();
  const lines = new Map<string, readonly string[]>();
  for (const { fileName } of results) {
    if (!lines.has(fileName)) lines.set(fileName, (await readFile(fileName, "utf8")).split("\n"));
  }
  return results
    .map((result) => toChange(result, lines.get(result.fileName) ?? []))
    .toSorted((a, b) => a.file.localeCompare(b.file, "en") || a.line - b.line);
}

function toChange(result: MutantResult, lines: readonly string[]): Change {
  const { fileName, location, mutatorName, replacement, status } = result;
  const fate = FATES[status];
  if (fate === undefined) throw new Error(`A change of ${fileName} was not tried: ${status}.`);
  return {
    file: relative(ROOT, fileName).replaceAll("\\", "/"),
    line: location.start.line,
    mutator: mutatorName,
    original: textAt(location, lines),
    replacement,
    fate,
  };
}

function textAt({ start, end }: MutantResult["location"], lines: readonly string[]): string {
  // Lines and columns are counted from 1.
  const text = lines.slice(start.line - 1, end.line);
  const last = text.at(-1)?.slice(0, end.column - 1) ?? "";
  return [...text.slice(0, -1), last].join("\n").slice(start.column - 1);
}
