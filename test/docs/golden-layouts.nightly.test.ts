import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { copyCheckout } from "../copied-checkout.ts";
import { runShell, runSteps, type Step } from "./run-workflow.ts";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGES = ["half-beat-lengths", "one-shot-kit", "bare-minimum"];
const page = await readFile(join(ROOT, "docs/use/golden-layouts.md"), "utf8");
const WORKFLOW = await readFile(join(ROOT, "docs/examples/golden-layouts/layouts.yml"), "utf8");
const version: string = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")).version;

/** The page's blocks of one language, in order. */
const blocksOf = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((block) => block[1] === language)
    .map((block) => block[2] ?? "");
const [PACK = "", INSTALL = "", OTHER_CI = "", ACCEPT = "", HOOK = "", ...moreShell] =
  blocksOf("sh");
const [, ATTRIBUTES = ""] = blocksOf("text");
const [MANIFEST = ""] = blocksOf("json");

interface Job {
  readonly steps: readonly Step[];
}

const workflow: Readonly<Record<string, unknown>> & { readonly jobs: { readonly layouts: Job } } =
  parse(WORKFLOW);
const { steps } = workflow.jobs.layouts;

let folder = "";
const inFolder = (...names: readonly string[]) => join(folder, ...names);
const library = () => inFolder("sound-library");

async function shellWell(lines: string, cwd: string): Promise<string> {
  const { status, printed } = await runShell(lines, cwd);
  expect(status, printed).toBe(0);
  return printed;
}

let clones = 0;

/** Checks the library out into a new folder, as CI does. */
async function checkOut(): Promise<string> {
  clones += 1;
  const clone = inFolder(`clone-${clones}`);
  await shellWell(`git clone --quiet sound-library ${clone}`, folder);
  return clone;
}

/** Runs the workflow on what is committed, as after a push. */
async function runWorkflow() {
  const workspace = await checkOut();
  const { failed, summary, actions } = await runSteps(steps, { workspace, event: "push" });
  const kept = actions.find(({ uses }) => uses?.startsWith("actions/upload-artifact"));
  const reports = await readdir(join(workspace, String(kept?.with?.["path"])));
  expect(reports).toEqual(["layouts.html", "layouts.xml"]);
  return { failed, summary };
}

const AS_ACCEPTED = {
  failed: [],
  summary: expect.stringMatching(
    /^## All layouts are as accepted\n\n3 packages, \d+ sounds: 3 match\.\n/,
  ),
};

/** Gives the first loop another warp mode. */
async function edit(warpMode: string): Promise<void> {
  const path = join(library(), "packages", "half-beat-lengths", "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  manifest.items[0].warp_mode = warpMode;
  await writeFile(path, JSON.stringify(manifest, null, 2));
}

const commitAll = (words = "") => `git add . && git commit --quiet -m "Edit a package" ${words}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-golden-layouts-"));
  copyCheckout(inFolder("soundferry"));
  await mkdir(join(library(), ".github/workflows"), { recursive: true });
  for (const name of PACKAGES) {
    const filter = (path: string) => basename(path) !== "expected";
    const to = join(library(), "packages", name);
    await cp(join(ROOT, "fixtures/packages", name), to, { recursive: true, filter });
  }
  await shellWell("git init --quiet --initial-branch main", library());
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the workflow", () => {
  test("[B2] has read-only permissions, and pins each action to a major version", () => {
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "concurrency", "jobs"]);
    expect(workflow["permissions"]).toEqual({ contents: "read" });
    expect(workflow["on"]).toMatchObject({ push: { branches: ["main"] }, pull_request: {} });
    const known = ["name", "uses", "with", "if", "shell", "run"];
    for (const step of steps) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(step)));
      expect([step.uses, step.run].filter((each) => each !== undefined)).toHaveLength(1);
    }
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
    const [checkOut, checkOutBase, setUpNode] = steps.map((step) => step.with);
    expect(checkOut).toEqual({ lfs: true, "persist-credentials": false });
    expect(checkOutBase).toMatchObject({ lfs: true, "persist-credentials": false, path: "base" });
    expect(setUpNode).toEqual({ "node-version": 24, cache: "npm" });
  });

  test("this test runs every shell block of the page", () => {
    expect([PACK, INSTALL, OTHER_CI, ACCEPT, HOOK].filter((block) => block === "")).toEqual([]);
    expect(moreShell).toEqual([]);
    expect(page.match(/soundferry-\d+\.\d+\.\d+\.tgz/g)).toEqual(
      Array.from({ length: 2 }, () => `soundferry-${version}.tgz`),
    );
  });
});

describe("a library set up as the page says", () => {
  test("[B2] has a golden for each package, committed", async () => {
    // The copy shares its installed packages with other tests.
    const pack = PACK.replace(/^npm ci$/m, "");
    expect(pack).not.toContain("npm ci");
    await shellWell(pack, inFolder("soundferry"));
    await writeFile(join(library(), "package.json"), MANIFEST);
    await writeFile(join(library(), ".gitattributes"), ATTRIBUTES);
    await writeFile(join(library(), ".github/workflows/layouts.yml"), WORKFLOW);
    await shellWell(INSTALL, library());
    const committed = (await shellWell("git ls-files", library())).split("\n");
    const goldens = PACKAGES.map((name) => `packages/${name}/expected/layout.json`);
    expect(committed).toEqual(expect.arrayContaining(goldens));
    expect(committed).toContain(`tools/soundferry-${version}.tgz`);
    expect(committed.filter((path) => path.startsWith("node_modules"))).toEqual([]);
  });

  test("[B2] passes the workflow", async () => {
    expect(await runWorkflow()).toEqual(AS_ACCEPTED);
    expect((await runShell(OTHER_CI, await checkOut())).status).toBe(0);
  });

  test("[B2] fails after an edit, with the difference in the summary, until it is accepted", async () => {
    await edit("tones");
    await shellWell(commitAll(), library());
    const { failed, summary } = await runWorkflow();
    expect(failed).toEqual(["Compare every package with what was accepted"]);
    expect(summary).toContain("## Some layouts differ from the accepted ones");
    expect(summary).toMatch(/^\| .* \| Warp mode \| Beats \| Tones \| \d+ \|$/m);
    expect((await runShell(OTHER_CI, await checkOut())).status).toBe(1);

    const changed = await shellWell(ACCEPT, library());
    expect(changed).toContain("packages/half-beat-lengths/expected/layout.json");
    await shellWell(commitAll(), library());
    expect(await runWorkflow()).toEqual(AS_ACCEPTED);
  });

  test("[B2] fails if a package has no golden", async () => {
    await shellWell("git rm -r --quiet packages/bare-minimum/expected", library());
    await shellWell(commitAll(), library());
    const { failed, summary } = await runWorkflow();
    expect(failed).toHaveLength(1);
    expect(summary).toContain("bare-minimum");
    await shellWell(`${ACCEPT} ${commitAll()}`, library());
  });

  test("[B2] with the hook, refuses a commit with an unaccepted layout", async () => {
    await shellWell(HOOK, library());
    await edit("texture");
    const refused = await runShell(commitAll(), library());
    expect(refused).toMatchObject({ status: 1, printed: expect.stringContaining("Texture") });
    await shellWell(`${ACCEPT} ${commitAll()}`, library());
    expect(await shellWell("git status --porcelain", library())).toBe("");
  });
});
