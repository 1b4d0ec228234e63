import { expect, test } from "vitest";
import { type FinishedFile, type FinishedRun, formatClosing } from "./closing-lines.ts";

const file = (path: string, ms = 0, tests: FinishedFile["tests"] = []): FinishedFile => ({
  path,
  tests,
  failsItself: false,
  ms,
});

const closingOf = (run: Partial<FinishedRun>) =>
  formatClosing({
    files: [],
    errors: 0,
    seconds: 61.23,
    rules: { count: 3, withoutTest: [] },
    leftOut: [],
    repeat: (paths) => `npm test -- ${paths.join(" ")}`,
    withNames: false,
    ...run,
  });

const passed = { name: "passes", state: "passed" } as const;
const skipped = (name: string) => ({ name, state: "skipped" }) as const;

test("a run in which all is well closes with three lines", () => {
  expect(closingOf({ files: [file("a.test.ts", 1500, [passed, passed])] })).toEqual([
    "Rules without a test (of 3): none",
    "1 file in 61.2 s, 1.5 s of processor time",
    "2 passed, 0 failed, 0 skipped",
  ]);
});

test("the last line counts whatever failed, also outside tests", () => {
  const broken = { ...file("b.test.ts"), failsItself: true };
  const failing = file("a.test.ts", 0, [passed, { name: "fails", state: "failed" }]);
  const hanging = file("c.test.ts", 0, [{ name: "hangs", state: "pending" }]);
  const lines = closingOf({ files: [failing, broken, hanging], errors: 2 });
  expect(lines.at(-1)).toBe(
    "1 passed, 1 failed, 0 skipped, 1 not finished, 1 file failed outside tests, 2 errors outside files",
  );
  expect(lines).toContain("Again: npm test -- a.test.ts b.test.ts");
});

test("rules without a test are named", () => {
  const rules = { count: 3, withoutTest: ["U4", "S9"] };
  expect(closingOf({ rules })[0]).toBe("Rules without a test (of 3): U4, S9");
});

test("of more than ten files the slowest ten are listed, the slowest first", () => {
  const files = Array.from({ length: 12 }, (_, index) => file(`${index}.test.ts`, index * 1000));
  const lines = closingOf({ files });
  expect(lines.slice(1, 4)).toEqual([
    "Slowest files, in seconds of processor time:",
    "   11.0  11.test.ts",
    "   10.0  10.test.ts",
  ]);
  expect(lines.at(11)).toBe("    2.0  2.test.ts");
  expect(lines).toHaveLength(14);
});

test("what another command runs is one line, with names if they are wanted", () => {
  const leftOut = [
    { kind: "slow", command: "npm run test:slow", paths: ["a.slow.test.ts", "b.slow.test.ts"] },
    { kind: "several-relay", command: "npm run test:slow", paths: ["a.scaled.test.ts"] },
    { kind: "other", command: "npm run other", paths: [] },
  ];
  const line =
    "Left out: 2 slow files (npm run test:slow), 1 several-relay file (npm run test:slow)";
  expect(closingOf({ leftOut }).slice(1, -2)).toEqual([line]);
  expect(closingOf({ leftOut, withNames: true }).slice(1, -2)).toEqual([
    line,
    "  a.slow.test.ts",
    "  b.slow.test.ts",
    "  a.scaled.test.ts",
  ]);
});

test("skipped tests are grouped by what they need; those that don't say it are named", () => {
  const files = [
    ...["a", "b", "c", "d"].map((name) =>
      file(name, 0, [skipped(`${name} (needs Chromium) > shows`), passed]),
    ),
    file("e", 0, [skipped("reads (needs mypy)"), skipped("writes")]),
  ];
  expect(closingOf({ files }).slice(1, -2)).toEqual([
    "Skipped: 4 tests that need Chromium: a, b, c and 1 more file",
    "Skipped: 1 test that needs mypy: e",
    "Skipped: 1 test without a reason in the title",
    "  e: writes",
  ]);
  expect(closingOf({ files }).at(-1)).toBe("4 passed, 0 failed, 6 skipped");
  expect(closingOf({ files, withNames: true })).toContain("  d: d (needs Chromium) > shows");
});
