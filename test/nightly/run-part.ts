import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startVitest } from "vitest/node";
import type { Figures } from "./nightly-table.ts";
import { filesOf } from "./nightly-files.ts";
import type { Part } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Runs a part's test files, then its scripts, and prints what they print.
 * @param only these test files, and no script
 */
export async function runPart(
  part: Part,
  only?: readonly string[],
): Promise<Pick<Figures, "seconds" | "tests" | "failures">> {
  const startedAt = performance.now();
  // What the caller has set stays: a whole form can be a longer one.
  const environment = {
    WHOLE_FORMS: "1",
    ...part.environment,
    SOUNDFERRY_NIGHTLY_WORKERS: String(part.workers ?? 2),
  };
  const added = Object.keys(environment).filter((name) => process.env[name] === undefined);
  Object.assign(process.env, environment, process.env);
  const files = only ?? filesOf(part);
  const { tests, failures } =
    files.length === 0 ? { tests: undefined, failures: 0 } : await runFiles(files);
  const scripts = only === undefined ? (part.scripts ?? []) : [];
  const failed = scripts.filter((words) => !runScript(words));
  for (const name of added) delete process.env[name];
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, tests, failures: failures + failed.length };
}

async function runFiles(files: readonly string[]): Promise<{ tests: number; failures: number }> {
  const project = ["fast", "slow", "scaled", "nightly", "nightly-scaled"];
  const config = join(ROOT, "test/vitest.config.ts");
  const vitest = await startVitest("test", [...files], { run: true, root: ROOT, config, project });
  const modules = vitest.state.getTestModules();
  const failed = modules.filter((module) => !module.ok()).length;
  const unhandled = vitest.state.getUnhandledErrors().length;
  const tests = modules.flatMap((module) => [...module.children.allTests()]).length;
  await vitest.close();
  return { tests, failures: failed + unhandled + (modules.length < files.length ? 1 : 0) };
}

function runScript(words: readonly string[]): boolean {
  const npm = process.env["npm_execpath"];
  const [program, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const all = [...first, "run", "--silent", ...words.slice(0, 1), "--", ...words.slice(1)];
  process.stdout.write(`\nnpm ${all.slice(first.length).join(" ")}\n`);
  const shell = npm === undefined && process.platform === "win32";
  return spawnSync(program, all, { cwd: ROOT, stdio: "inherit", shell }).status === 0;
}
