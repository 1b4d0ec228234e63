import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

// Makes git run `npm run check` before each commit, for those who want it; with --remove no longer.

const ROOT = join(import.meta.dirname, "..");
const MARK = "# Soundferry: npm run hook -- --remove removes this file.";
/** The hook's script. Variables that git sets for a hook would lead the tests' own repositories to this one. */
const HOOK = `#!/bin/sh
${MARK}
unset $(git rev-parse --local-env-vars)
exec npm run --silent check
`;

const { values } = parseArgs({ options: { remove: { type: "boolean", default: false } } });
const words = ["rev-parse", "--git-path", "hooks/pre-commit"];
const path = resolve(ROOT, execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim());
const isThere = existsSync(path);
if (isThere && !readFileSync(path, "utf8").includes(MARK)) {
  process.stderr.write(`${path} is yours, so it stays as it is. It may call: npm run check\n`);
  process.exitCode = 1;
} else if (values.remove) {
  rmSync(path, { force: true });
  process.stdout.write(isThere ? "Removed the hook.\n" : "There was no hook.\n");
} else {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, HOOK);
  chmodSync(path, 0o755);
  process.stdout.write(
    "Git now runs npm run check before each commit. git commit --no-verify skips it.\n",
  );
}
