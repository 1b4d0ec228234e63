import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findAffectedTests } from "../../scripts/check/affected-tests.ts";
import { type ChangedFile, findChanged } from "../../scripts/check/changed-files.ts";
import { affectedProjects, PROJECTS } from "../../scripts/check/types-projects.ts";
import { ImportGraph } from "../../scripts/tests/import-graph.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { kindOf } from "../../scripts/tests/test-kinds.ts";
import { parseTestWords } from "../../scripts/tests/test-words.ts";

const GRAPH = new ImportGraph();

const change = (path: string, removed: readonly string[] = []): ChangedFile => ({
  path,
  isDeleted: false,
  lines: [[1, 1]],
  removed,
});

const affectedBy = (changed: ChangedFile, budgetMs = Infinity) =>
  findAffectedTests([changed], GRAPH, {}, budgetMs);

test("what differs from a commit is found, committed or not", async () => {
  const cwd = await temporaryFolder();
  const git = (...words: string[]) => execFileSync("git", words, { cwd, encoding: "utf8" });
  const commit = (title: string) => {
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", title);
  };
  git("init", "-q");
  await writeFile(join(cwd, "a.ts"), "one\ntwo\nthree\nfour\n");
  await writeFile(join(cwd, "gone.ts"), "one\n");
  commit("first");
  const base = git("rev-parse", "HEAD").trim();
  await writeFile(join(cwd, "a.ts"), "one\nTWO\nthree\n");
  await rm(join(cwd, "gone.ts"));
  commit("second");
  await mkdir(join(cwd, "new folder"));
  await writeFile(join(cwd, "new folder", "ä.ts"), "x\n");
  expect(findChanged(base, cwd)).toEqual({
    base: git("rev-parse", "--short", base).trim(),
    files: [
      { path: "a.ts", isDeleted: false, lines: [[2, 2]], removed: ["two", "four"] },
      { path: "gone.ts", isDeleted: true, lines: [], removed: ["one"] },
      { path: "new folder/ä.ts", isDeleted: false, lines: [[1, Infinity]], removed: [] },
    ],
  });
});

test("a change of code runs the tests that import it, the nearest first", () => {
  const { chosen, farther, others } = affectedBy(change("core/audio/wav-header.ts"));
  expect(chosen).toContain("test/core/audio/accepted.test.ts");
  expect(chosen).toContain("test/relay/http/uploads.test.ts");
  expect(chosen.indexOf("test/core/audio/accepted.test.ts")).toBeLessThan(
    chosen.indexOf("test/relay/http/uploads.test.ts"),
  );
  expect(chosen).not.toContain("test/core/text/clean-text.test.ts");
  expect(farther).toEqual([]);
  expect(others).not.toEqual([]);
});

test("what the time doesn't allow is left out, and named", () => {
  const all = affectedBy(change("core/limits.ts"));
  const some = affectedBy(change("core/limits.ts"), 5_000);
  expect(some.chosen).toEqual(all.chosen.slice(0, 5));
  expect([...some.chosen, ...some.farther]).toEqual(all.chosen);
});

test("a changed page runs the tests that read pages", () => {
  const { chosen } = affectedBy(change("docs/rules/pairing.md"));
  expect(chosen).toEqual(
    expect.arrayContaining([
      "test/rules.test.ts",
      "test/docs/words/banned-words.test.ts",
      "test/docs/limits.test.ts",
      "test/docs/commands.test.ts",
    ]),
  );
  expect(chosen).not.toContain("test/core/audio/accepted.test.ts");
});

test("a test that quotes the sentence that was changed runs first", () => {
  const old = '  title: "Before you teach the guesser something",';
  const quoting = "test/scripts/check.test.ts";
  // A path in quotes would reach this file, too.
  const path = ["rooms", "ts"].join(".");
  expect(affectedBy(change(path, [old]), 4_000).chosen).toContain(quoting);
  expect(affectedBy(change(path), 4_000).chosen).not.toContain(quoting);
});

test("types are checked where a change reaches", () => {
  expect(affectedProjects(["docs/build/testing.md"])).toEqual([]);
  expect(affectedProjects(["relay/a.ts"])).toEqual([".", "scripts/config/tsconfig.build.json"]);
  expect(affectedProjects(["pages/kit/a.tsx"])).toEqual([
    ".",
    "scripts/config/tsconfig.build.json",
    "pages",
  ]);
  expect(affectedProjects(["client/a.ts"])).toContain("client/react");
  expect(affectedProjects(["core/tsconfig.json"])).toEqual(PROJECTS);
});

test("a rule becomes the files that name it and the title", () => {
  const { words } = parseTestWords(["--project", "pure", "[U4]"]);
  expect(words.slice(0, 4)).toEqual(["--project", "pure", "-t", "\\[(?:U4)\\]"]);
  expect(words).toContain("test/core/audio/accepted.test.ts");
  expect(words.slice(4).every((word) => word.endsWith(".test.ts"))).toBe(true);
  expect(words.length).toBeLessThan(60);
});

test("everything else is Vitest's", () => {
  const words = ["test/core/audio", "-t", "reads", "--retry=2"];
  expect(parseTestWords(words)).toEqual({ words, withNames: false });
  expect(parseTestWords(["--names", "test"])).toEqual({ words: ["test"], withNames: true });
});

test("an unknown rule is refused, with those that begin alike", () => {
  expect(() => parseTestWords(["U999"])).toThrow(/^There is no rule U999\. Those with U are U1, /);
  expect(() => parseTestWords(["QQ1"])).toThrow(
    "There is no rule QQ1. The pages in docs/ have them all.",
  );
});

test.each([
  ["test/core/a.test.ts", "npm test"],
  ["test/core/a.slow.test.ts", "npm run test:slow"],
  ["test/core/a.scaled.test.ts", "npm run test:slow"],
  ["test/a.scaled.nightly.test.ts", "npm run test:nightly"],
])("%s runs with %s", (path, command) => {
  expect(kindOf(path).command).toBe(command);
});
