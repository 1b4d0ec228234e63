import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAX_FILE_NAME_LENGTH, MAX_PACKAGE_BYTES, MAX_WAIT_SECONDS } from "../../../core/limits.ts";
import { FILE_NAME_PATTERN } from "../../../core/manifest/manifest.ts";
import { WHERE_TO_IMPORT } from "../../../core/protocol/public-api.ts";
import { VERSION } from "../../../core/version.ts";
import { PACKAGE, runPython } from "./run-python.ts";

const SOURCES = globSync(["soundferry/**/*.py", "tests/*.py", "build_backend/*.py"], {
  cwd: PACKAGE,
});

test("[W52][W53] the Python package's own tests pass, among them every vector", async () => {
  const run = await runPython([
    "-m",
    "unittest",
    "discover",
    "-s",
    join(PACKAGE, "tests"),
    "-t",
    PACKAGE,
  ]);
  expect(run.stderr).toMatch(/Ran [1-9]\d* tests? in [\s\S]*\nOK\n$/);
});

test("[W53] the Python package needs nothing newer than the syntax of 3.9", async () => {
  expect(SOURCES.length).toBeGreaterThan(20);
  const check =
    "import ast, sys\nfor p in sys.argv[1:]: ast.parse(open(p, encoding='utf-8').read(), p, feature_version=(3, 9))";
  const files = SOURCES.map((path) => join(PACKAGE, path));
  expect(await runPython(["-c", check, ...files])).toMatchObject({ status: 0, stderr: "" });
});

test("[W53] the Python package imports the standard library alone", async () => {
  const program = [
    "import ast, importlib, sys",
    "for path in sys.argv[1:]:",
    "    for node in ast.walk(ast.parse(open(path, encoding='utf-8').read())):",
    "        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []",
    "        if isinstance(node, ast.ImportFrom) and node.level == 0: names = [node.module]",
    "        for name in names: importlib.import_module(name)",
  ].join("\n");
  const own = SOURCES.filter((path) => !path.startsWith("tests/"));
  // -S leaves out everything that was installed.
  const words = ["-S", "-I", "-c", program, ...own.map((path) => join(PACKAGE, path))];
  expect(await runPython(words)).toMatchObject({ status: 0, stderr: "" });
});

test("[W53] its numbers, names and version are the relay's", async () => {
  const program =
    "import json, soundferry, soundferry.limits as l\n" +
    "print(json.dumps([soundferry.__version__, soundferry.WHERE_TO_IMPORT, l.MAX_PACKAGE_BYTES, l.MAX_WAIT_SECONDS," +
    " l.MAX_FILE_NAME_LENGTH, '^' + l.FILE_NAME.pattern + '$']))";
  const { stdout } = await runPython(["-c", program]);
  expect(JSON.parse(stdout)).toEqual([
    VERSION,
    WHERE_TO_IMPORT,
    MAX_PACKAGE_BYTES,
    MAX_WAIT_SECONDS,
    MAX_FILE_NAME_LENGTH,
    FILE_NAME_PATTERN,
  ]);
  expect(readFileSync(join(PACKAGE, "README.md"), "utf8")).toContain(`soundferry-${VERSION}-`);
});

const hasMypy = spawnSync("mypy", ["--version"]).status === 0;

test.skipIf(!hasMypy)("[W53] its types suffice for mypy --strict (needs mypy)", () => {
  // Its settings are in pyproject.toml.
  const words = ["--cache-dir", "/dev/null"];
  const { status, stdout } = spawnSync("mypy", words, { cwd: PACKAGE, encoding: "utf8" });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining("no issues found"),
  });
});
