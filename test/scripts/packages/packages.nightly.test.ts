import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { PYTHON } from "../../client/python/run-python.ts";
import { findProblems } from "./find-problems.ts";
import { testInNode } from "./in-node.ts";
import { testInPages } from "./in-pages.ts";
import { testTypes } from "./compilers.ts";
import { useProjects } from "./project.ts";

// Builds every package once, installs each into an empty project without a network, and uses it.

const NPM_PACKAGES = ["soundferry", "soundferry-client", "soundferry-react"];
const WHEEL = `soundferry-${VERSION}-py3-none-any.whl`;
const projects = useProjects();

test("[PK1] all files have the version in their names, and nothing else is there", async () => {
  const names = [...NPM_PACKAGES.map((name) => `${name}-${VERSION}.tgz`), WHEEL];
  expect((await readdir(projects.packed())).toSorted()).toEqual(names.toSorted());
});

test.each(NPM_PACKAGES)(
  "[PK2] %s has no mistake in its package.json and its types",
  async (name) => {
    expect(await findProblems(projects.file(name))).toEqual([]);
  },
);

test("[PK2][W11] @soundferry/client installs no other package", async () => {
  const { folder } = projects.client();
  const installed = await readdir(join(folder, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["@soundferry"]);
  const files = await readdir(join(folder, "node_modules/@soundferry/client"));
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
});

// test/client/python/python-resume.nightly.test.ts installs it, too.
test("[PK1][PK2] the wheel has the version, and needs no other package", async () => {
  const wheel = join(projects.packed(), WHEEL);
  const program =
    "import sys; sys.path.insert(0, sys.argv[1]); import soundferry; print(soundferry.__version__)";
  const { stdout } = await promisify(execFile)(PYTHON, ["-I", "-S", "-c", program, wheel]);
  expect(stdout.trim()).toBe(VERSION);
});

testInNode(projects);
testTypes(projects);
testInPages(projects);
