import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBareExceptions } from "../../scripts/mutate/check-exceptions.ts";
import { EXPLANATIONS } from "../../scripts/mutate/explanations.ts";
import { batchSize, narrowPart, piecesOf } from "../../scripts/mutate/changed-pieces.ts";
import { fillRow } from "../../scripts/mutate/fill-row.ts";
import { ImportGraph } from "../../scripts/tests/import-graph.ts";
import { partsNamed, PARTS } from "../../scripts/mutate/parts.ts";
import { formatSurvivors, scoreOf, scoreRow } from "../../scripts/mutate/format-folder.ts";
import type { Change } from "../../scripts/mutate/try-part.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCORES = readFileSync(join(ROOT, "docs/build/testing.md"), "utf8");
const filesOf = (globs: readonly string[]) =>
  globSync([...globs], { cwd: ROOT }).map((file) => file.replaceAll("\\", "/"));

const change = (fate: Change["fate"], more: Partial<Change> = {}): Change => ({
  file: "core/a.ts",
  line: 3,
  mutator: "EqualityOperator",
  original: "a < b",
  replacement: "a <= b",
  fate,
  ...more,
});

describe("the parts", () => {
  test("have every code file of their folders once but the tables of sentences, and tests for each", () => {
    const tables = filesOf(["core/messages/*/*.ts"]);
    expect(tables.length).toBeGreaterThan(20);
    const tried = [...PARTS.flatMap(({ mutate }) => filesOf(mutate)), ...tables].sort();
    const folders = ["core", "relay/domain", "addon/runs"];
    expect(tried).toEqual(folders.flatMap((folder) => filesOf([`${folder}/**/*.ts`])).sort());
    expect(tried.length).toBeGreaterThan(100);
    for (const { folder, tests } of PARTS) {
      for (const glob of tests) expect(filesOf([glob]), `${folder}: ${glob}`).not.toEqual([]);
    }
  });

  test("are chosen by their folder or one above; without a name all", () => {
    const chosen = (...names: string[]) => partsNamed(names).map(({ folder }) => folder);
    expect(partsNamed([])).toEqual(PARTS);
    expect(chosen("core/audio", "addon")).toEqual(["core/audio", "addon/runs"]);
    expect(chosen("core")).toEqual(expect.arrayContaining(["core/root", "core/layout"]));
    expect(chosen("core")).not.toContain("relay/domain/pairing");
    expect(() => partsNamed(["cor"])).toThrow("There is no folder cor. These are tried:");
  });

  test("each have a row of scores on the page", () => {
    for (const { folder } of PARTS) {
      expect(fillRow(SCORES, [folder, "x"])).toContain(`\n| ${folder} | x |\n`);
    }
  });
});

describe("a line that is left out", () => {
  test("has a reason, in every folder", () => {
    const bare = PARTS.flatMap(({ mutate }) => filesOf(mutate)).flatMap((file) =>
      findBareExceptions(file, readFileSync(join(ROOT, file), "utf8")),
    );
    expect(bare).toEqual([]);
  });

  test.each([
    "// Stryker disable next-line StringLiteral: the text is for the log alone",
    "  // Stryker disable next-line StringLiteral, BlockStatement: nobody reads this text",
  ])("may be: %s", (line) => {
    expect(findBareExceptions("a.ts", `x();\n${line}\ny();`)).toEqual([]);
  });

  test.each([
    "// Stryker disable all",
    "// Stryker disable StringLiteral: the text is for the log alone",
    "// Stryker disable next-line StringLiteral",
    "// Stryker disable next-line all: because",
    "// Stryker restore all",
    "/* Stryker disable all: the text is for the log alone */",
  ])("may not be: %s", (line) => {
    expect(findBareExceptions("a.ts", `x();\n${line}\ny();`)).toEqual([`a.ts:2: ${line}`]);
  });
});

describe("a folder's result", () => {
  test("has the score of all changes but those left out, and each survivor by its line", () => {
    const changes = [
      ...Array.from({ length: 6 }, () => change("killed")),
      change("timed out"),
      change("left out"),
      change("survived"),
      change("survived", {
        line: 9,
        mutator: "StringLiteral",
        original: '`a\n  "b"',
        replacement: "",
      }),
      change("without a test", { line: 9, original: "x".repeat(99) }),
    ];
    expect(scoreOf(changes)).toBe(70);
    expect(scoreRow("core", changes)).toEqual(["core", "70.0 %", "10", "3", "1"]);
    expect(formatSurvivors(changes).join("\n").split("\n")).toEqual([
      "`core/a.ts`, 3",
      "",
      "- 3: EqualityOperator `a < b` → `a <= b`",
      '- 9: StringLiteral `\'a "b"` → ` `; EqualityOperator `' +
        `${"x".repeat(59)}…\` → \`a <= b\` (no test reaches it)`,
    ]);
  });

  test("says why a survivor is one, where somebody said so", () => {
    for (const { file, code, why } of EXPLANATIONS) {
      const survivor = change("survived", { file, original: code });
      expect(formatSurvivors([change("killed"), survivor]).join()).toContain(`. *${why}*`);
      expect(readFileSync(join(ROOT, file), "utf8"), file).toContain(code);
    }
  });

  test("replaces its own row alone", () => {
    const page = "a\n| x | old |\n| xy | 1 |\nb\n";
    expect(fillRow(page, ["x", "new $&"])).toBe("a\n| x | new $& |\n| xy | 1 |\nb\n");
    expect(() => fillRow(page, ["z", "new"])).toThrow("The page has no row for z.");
  });
});

describe("a change", () => {
  const changed = (path: string, ...lines: [number, number][]) => ({
    path,
    isDeleted: false,
    lines,
    removed: [],
  });

  test("is tried line by line, in pieces, and the rest is named", () => {
    const files = [
      changed("core/audio/byte-gatherer.ts", [3, 3], [10, Infinity]),
      changed("relay/http/routes.ts", [1, 9]),
      changed("test/core/hex.test.ts", [1, 9]),
      changed("docs/build/testing.md", [1, 9]),
    ];
    const { pieces, outside } = piecesOf(files, PARTS, () => 70);
    expect(pieces.map(({ first, last }) => [first, last])).toEqual([
      [3, 3],
      [10, 34],
      [35, 59],
      [60, 70],
    ]);
    expect(outside).toEqual(["relay/http/routes.ts"]);
  });

  test("is tried in runs of one part that have time", () => {
    const files = [
      changed("core/audio/byte-gatherer.ts", [1, 20]),
      changed("core/limits.ts", [1, 20]),
    ];
    const { pieces } = piecesOf(files, PARTS, () => 70);
    expect([1000, 20, 19, -1].map((lines) => batchSize(pieces, lines))).toEqual([1, 1, 0, 0]);
  });

  test("is judged by the tests of its part that reach it", () => {
    const { pieces } = piecesOf([changed("core/audio/byte-gatherer.ts", [3, 4])], PARTS, () => 70);
    const part = narrowPart(pieces, new ImportGraph());
    expect(part.mutate).toEqual(["core/audio/byte-gatherer.ts:3-4"]);
    expect(part.tests).toContain("test/core/audio/accepted.test.ts");
    expect(part.tests.every((path) => path.startsWith("test/core/audio/"))).toBe(true);
  });
});
