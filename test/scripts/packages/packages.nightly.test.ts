import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { PYTHON } from "../../client/python/run-python.ts";
import { testInNode, testInPages } from "./in-node.ts";
import { testTypes } from "./compilers.ts";
import { useProjects } from "./project.ts";
// By path: under Vitest, the condition "development" leads the package's name to sources in TypeScript.
import {
  checkPackage,
  createPackageFromTarballData,
} from "../../../node_modules/@arethetypeswrong/core/dist/index.js";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

// Builds every package once, installs each into an empty project without a network, and uses it.

const LIBRARIES = ["soundferry", "soundferry-client", "soundferry-react"];
const NPM_PACKAGES = [...LIBRARIES, "soundferry-conformance"];
const WHEEL = `soundferry-${VERSION}-py3-none-any.whl`;
const projects = useProjects();

test("[PK1] all files have the version in their names, and nothing else is there", async () => {
  const packed = NPM_PACKAGES.map((name) => `${name}-${VERSION}.tgz`);
  const names = [...packed, WHEEL, `soundferry-${VERSION}.cdx.json`];
  expect((await readdir(projects.packed())).toSorted()).toEqual(names.toSorted());
});

test.each(LIBRARIES)("[PK2] %s has no mistake in its package.json and its types", async (name) => {
  expect(await findProblems(projects.file(name))).toEqual([]);
});

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

/** Rule PK3 says what `require` gets: Node loads ES modules that way, or says what to do. */
const KNOWN: ReadonlySet<string> = new Set(["CJSResolvesToESM"]);

/** Lists what two judges from outside find wrong with a packed file: its fields, and its types under each resolution. */
export async function findProblems(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const tarball = Uint8Array.from(bytes).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const checked = await checkPackage(createPackageFromTarballData(bytes));
  if (checked.types === false) return ["It has no types."];
  const entries = new Set(Object.keys(checked.entrypoints).filter(isTyped));
  const wrong = checked.problems.flatMap((problem) => {
    const entry = "entrypoint" in problem ? problem.entrypoint : "";
    const isKnown = KNOWN.has(problem.kind) || (entry !== "" && !entries.has(entry));
    return isKnown ? [] : [`${problem.kind} ${entry}`];
  });
  return [...messages.map((message) => formatMessage(message, pkg) ?? message.code), ...wrong];
}

/** Pages, scripts for relays and package.json are files to read. */
function isTyped(entry: string): boolean {
  return !/\.(html|js|json)$/.test(entry);
}
