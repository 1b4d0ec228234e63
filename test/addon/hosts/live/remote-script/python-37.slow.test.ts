import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { liveStudio } from "./live-studio.ts";
import { violationsIn } from "./fake-live-log.ts";
import { added, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";

const run = promisify(execFile);
const CHECK = join(import.meta.dirname, "check_python.py");
const SCRIPT = join(
  import.meta.dirname,
  "../../../../../addon/hosts/live/remote-script/Soundferry",
);
/** The path of a Python 3.7, which Live 12.0 has. */
const PYTHON_37 = process.env["PYTHON37"];

async function check(...paths: string[]): Promise<string> {
  const python = process.env["TEST_PYTHON"] ?? "python3";
  const { stdout } = await run(python, [CHECK, ...paths]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.trim();
}

test("[H12] the control surface's script needs nothing newer than Python 3.7", async () => {
  const sources = readdirSync(SCRIPT).filter((name) => name.endsWith(".py"));
  expect(sources.length).toBeGreaterThan(3);
  expect(await check(...sources.map((name) => join(SCRIPT, name)))).toBe("");
});

test.each([
  "if (n := 1): pass",
  "def f(a, /): pass",
  'x = 1\nprint(f"{x=}")',
  "match 1:\n  case 1: pass",
  "import math\nmath.prod([1])",
  "from math import prod\nprod([1])",
  "from functools import cached_property",
  "import functools as f\nf.cache",
  '"a".removeprefix("b")',
  "{} | {}",
  "import importlib.resources\nimportlib.resources.files",
  "import tomllib",
  "zip([], [], strict=True)",
  "def f(x: list[int]): pass",
])("the check finds newer Python: %j", async (text) => {
  const path = join(await temporaryFolder(), "newer.py");
  await writeFile(path, `${text}\n`);
  expect(await check(path)).not.toBe("");
});

test.skipIf(PYTHON_37 === undefined)(
  "[H12] the script runs in Python 3.7 (needs PYTHON37)",
  async () => {
    const studio = await liveStudio({
      habits: { ...QUICK, version: "12.0.5" },
      ...(PYTHON_37 !== undefined && { pythonPath: PYTHON_37 }),
    });
    const before = await studio.live.dump();
    await studio.host.place(await studio.request(SMALL, { runId: RUN }));
    expect(added(before, await studio.live.dump())).toEqual(ONCE);
    expect(violationsIn(await studio.live.log())).toEqual([]);
  },
);
