import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const STARTER = join(import.meta.dirname, "../../scripts/node.cjs");

function start(...words: readonly string[]) {
  return spawnSync(process.execPath, [STARTER, ...words], { encoding: "utf8" });
}

test("scripts run on the packaged Node, which stands first in the PATH of what they start", () => {
  const { stdout } = start(
    "-p",
    "JSON.stringify([process.version, process.execPath, process.env.PATH])",
  );
  const [version, execPath, path] = JSON.parse(stdout) as [string, string, string];
  expect(Number.parseInt(version.slice(1), 10)).toBeGreaterThanOrEqual(24);
  expect(path.startsWith(dirname(execPath))).toBe(true);
});

test("a script's exit status is handed on", () => {
  expect(start("-e", "process.exitCode = 3").status).toBe(3);
  expect(start("no-such-script.ts").status).toBe(1);
});
