import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOf, NIGHTLY_FILES, runsNightly } from "./nightly-files.ts";
import { type Figures, fillTable, lastCommits } from "./nightly-table.ts";
import { NIGHTLY_PARTS } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/build/testing.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const ONE = { name: "one", proves: "a promise", watches: [] };
const OTHER = { name: "other", proves: "another", watches: [] };
const EMPTY = "Before.\n<!-- nightly -->\n<!-- end -->\nAfter.\n";
const FIGURES: Figures = {
  seconds: 61.4,
  tests: 12,
  failures: 0,
  date: "2026-11-28",
  commit: "8db4be27",
};

describe("the parts", () => {
  test("each nightly test file belongs to exactly one", () => {
    const partsOf = (file: string) =>
      NIGHTLY_PARTS.filter((part) => runsNightly(part, file)).map(({ name }) => name);
    const files = NIGHTLY_FILES.map((file) => [file, partsOf(file)]);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(([, names]) => names?.length !== 1)).toEqual([]);
  });

  test.each(NIGHTLY_PARTS)("$name runs something, and watches what exists", (part) => {
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining((part.scripts ?? []).map(([name]) => name)),
    );
    expect(filesOf(part).length + (part.scripts ?? []).length).toBeGreaterThan(0);
    expect(part.watches.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const globs = [...(part.tests ?? []), ...(part.wholeForms ?? [])];
    const finds = (glob: string) =>
      filesOf({ ...part, tests: [glob], wholeForms: [glob] }).length > 0;
    expect(globs.filter((glob) => !finds(glob))).toEqual([]);
  });

  test("no two have the same name", () => {
    expect(new Set(NIGHTLY_PARTS.map(({ name }) => name)).size).toBe(NIGHTLY_PARTS.length);
  });
});

describe("the table of docs/build/testing.md", () => {
  test("has a row for each part, in their order", () => {
    expect(fillTable(PAGE, NIGHTLY_PARTS)).toBe(PAGE);
  });

  test("gets a part's figures, and keeps those of the others", () => {
    const first = fillTable(EMPTY, [ONE, OTHER], new Map([["one", FIGURES]]));
    const figures = { ...FIGURES, tests: undefined, failures: 2, commit: "a1b2c3d4" };
    const both = fillTable(first, [ONE, OTHER], new Map([["other", figures]]));
    expect(both).toContain("| `one` | 61 | 12 | passed | 2026-11-28 | 8db4be27 |\n");
    expect(both).toContain("| `other` | 61 | – | 2 failed | 2026-11-28 | a1b2c3d4 |\n");
    expect(both).toMatch(/^Before\.\n[^]*\nAfter\.\n$/);
  });

  test("says at which commit a part last ran", () => {
    const page = fillTable(EMPTY, [ONE, OTHER], new Map([["one", FIGURES]]));
    expect(lastCommits(page)).toEqual(new Map([["one", "8db4be27"]]));
  });

  test("drops a part that is gone, and gives a new one an empty row", () => {
    const page = fillTable(EMPTY, [ONE], new Map([["one", FIGURES]]));
    const rows = fillTable(page, [OTHER]).match(/^\| `.*$/gm);
    expect(rows).toEqual(["| `other` | – | – | – | – | – |"]);
  });
});
