import { globSync, readFileSync } from "node:fs";
import { join, delimiter } from "node:path";
import { expect, test, describe } from "vitest";
import { parse } from "yaml";
import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { VERSION } from "../../core/version.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

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

/** An npm that writes down what it is told to do; `published` are the packages that it finds in the registry. */
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
    ["", ["soundferry-client", "soundferry-react", "soundferry"]],
    [`@soundferry/client@${VERSION} `, ["soundferry-react", "soundferry"]],
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
