import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => parse(readFileSync(join(ROOT, path), "utf8"));

interface Job {
  readonly "runs-on": string;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[] } };
  readonly steps: readonly { readonly run?: string }[];
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
