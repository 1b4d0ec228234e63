import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildWheel } from "../../../scripts/build-wheel.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { hasModule, PACKAGE, PYTHON } from "./run-python.ts";

const run = promisify(execFile);

test("[W54] two builds of the wheel are the same to the byte", async () => {
  const built = [
    await buildWheel(await temporaryFolder()),
    await buildWheel(await temporaryFolder()),
  ];
  const [one, other] = await Promise.all(built.map((path) => readFile(path)));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
});

// Debian keeps ensurepip in a package of its own.
const canInstall = hasModule("venv, ensurepip");

test.skipIf(!canInstall)(
  "[W54] the wheel and the sources install into an empty environment (needs python3-venv)",
  async () => {
    const folder = await temporaryFolder();
    const wheel = await buildWheel(folder);
    for (const what of [wheel, PACKAGE]) {
      const venv = join(await temporaryFolder(), "venv");
      await run(PYTHON, ["-m", "venv", venv]);
      const python = join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
      const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input"];
      await run(python, [...pip, "install", "--no-index", "--quiet", what]);
      const { stdout: listed } = await run(python, [...pip, "list", "--format", "freeze"]);
      const others = /^(pip|setuptools|wheel)==/;
      expect(
        listed
          .trim()
          .split(/\r?\n/)
          .filter((name) => !others.test(name)),
      ).toEqual([`soundferry==${VERSION}`]);
      const typed =
        "import os, soundferry; print(os.path.exists(os.path.join(os.path.dirname(soundferry.__file__), 'py.typed')))";
      expect((await run(python, ["-I", "-c", typed])).stdout.trim()).toBe("True");
      const { stdout } = await run(python, ["-I", "-m", "soundferry", "--version"]);
      expect(stdout.trim()).toBe(VERSION);
      await run(python, [...pip, "check"]);
    }
  },
);
