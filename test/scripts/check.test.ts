import { execFileSync, execFile } from "node:child_process";
import { mkdir, rm, writeFile, chmod, readFile } from "node:fs/promises";
import { join, delimiter } from "node:path";
import { expect, test, describe } from "vitest";
import { findAffectedTests } from "../../scripts/check/affected-tests.ts";
import { type ChangedFile, findChanged } from "../../scripts/check/changed-files.ts";
import { affectedProjects, PROJECTS } from "../../scripts/check/types-projects.ts";
import { ImportGraph } from "../../scripts/tests/import-graph.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { kindOf } from "../../scripts/tests/test-kinds.ts";
import { parseTestWords } from "../../scripts/tests/test-words.ts";
import { globSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { promisify } from "node:util";
import { VERSION } from "../../core/version.ts";

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

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => parse(readFileSync(join(ROOT, path), "utf8"));

interface Job {
  readonly "runs-on": string;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[] } };
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

test("the workflow runs npm scripts on three systems, and each script exists", () => {
  const jobs = Object.values<Job>(read(".github/workflows/ci.yml").jobs);
  const systems = jobs.flatMap((job) => job.strategy?.matrix.os ?? [job["runs-on"]]);
  expect(systems).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  const lines = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const named = lines.flatMap((line) => /^npm (?:run )?(?!ci$)(\S+)$/.exec(line)?.[1] ?? []);
  expect(named).toEqual(["test", "types", "lint"]);
  expect(Object.keys(read("package.json").scripts)).toEqual(expect.arrayContaining(named));
  expect(lines).toContain("bash .ci/run");
});

test("each issue form has a name, a description and fields that GitHub supports", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: ROOT })
    .filter((path) => !path.endsWith("config.yml"))
    .map(read);
  expect(forms).toHaveLength(2);
  const field = { attributes: expect.any(Object) };
  for (const { name, description, body } of forms) {
    expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
    for (const one of body) {
      expect(one).toMatchObject(field);
      expect(["markdown", "textarea", "input", "dropdown"]).toContain(one.type);
    }
  }
});

const text = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
const workflow = parse(text);
const jobs: Readonly<Record<string, Job>> = workflow.jobs;
const build = jobs["build"]?.steps.flatMap(({ run }) => run ?? []) ?? [];

/** An npm that writes down its arguments; `published` are the packages that it finds in the registry. */
async function standInNpm(published: string): Promise<{ folder: string; log: string }> {
  const folder = await temporaryFolder();
  const log = join(folder, "log");
  const script = `#!/bin/sh\n[ "$1" != view ] || { case "${published}" in *"$2 "*) exit 0;; esac; exit 1; }\necho "$@" >> "${log}"\n`;
  await writeFile(join(folder, "npm"), script);
  await chmod(join(folder, "npm"), 0o755);
  await writeFile(log, "");
  return { folder, log };
}

describe("the release workflow", () => {
  test("[PK6] runs for tags only, and pins each action to a commit", () => {
    expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(6);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("[PK6] only jobs that run none of the project's code may publish", () => {
    expect(workflow.permissions).toEqual({});
    expect(jobs["build"]?.permissions).toEqual({ contents: "read" });
    for (const job of [jobs["npm"], jobs["pypi"]]) {
      expect(job).toMatchObject({ needs: "build", environment: "release" });
      expect(job?.permissions).toEqual({ "id-token": "write" });
      expect(job?.steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout"))).toEqual([]);
    }
    expect(text).not.toMatch(/secrets\.|_TOKEN|password:/);
  });

  test("[PK6] names npm scripts that exist, and tries the files that it publishes", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const named = build.flatMap((line) => /^npm run (\S+)/.exec(line)?.[1] ?? []);
    expect(named).toEqual(["build:packages", "test:nightly"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    expect(text).toMatch(/PACKAGES_TO_TEST: dist\/packages\n[^]*path: dist\/packages\/\*\.tgz/);
  });

  test.skipIf(process.platform === "win32").each([
    ["", ["soundferry-client", "soundferry-react", "soundferry-conformance", "soundferry"]],
    [
      `@soundferry/client@${VERSION} `,
      ["soundferry-react", "soundferry-conformance", "soundferry"],
    ],
  ])(
    "[PK6] publishes each package with provenance, save what is there: '%s'",
    async (published, files) => {
      const publish = jobs["npm"]?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";
      const { folder, log } = await standInNpm(published);
      const PATH = [folder, process.env["PATH"]].join(delimiter);
      const env = { PATH, GITHUB_REF_NAME: `v${VERSION}` };
      await promisify(execFile)("bash", ["-euo", "pipefail", "-c", publish], { env });
      const lines = files.map(
        (file) => `publish ./packages/${file}-${VERSION}.tgz --provenance --access public`,
      );
      expect((await readFile(log, "utf8")).trim().split("\n")).toEqual(lines);
    },
  );

  test("[PK6] a tag that isn't the version's builds nothing", async () => {
    const words = [join(ROOT, "scripts/build-packages.ts"), "--tag", "v99.0.0"];
    await expect(promisify(execFile)(process.execPath, words)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The tag is "v99.0.0", and core/version.ts says ${VERSION}.`),
    });
  });
});
