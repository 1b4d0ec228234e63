import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/hook.ts");

/** A repository with the script, which never touches the one that this test is in. */
async function repositoryWithScript() {
  const cwd = await temporaryFolder();
  execFileSync("git", ["init", "-q"], { cwd });
  await mkdir(join(cwd, "scripts"));
  await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
  await copyFile(SCRIPT, join(cwd, "scripts/hook.ts"));
  return {
    hook: join(cwd, ".git/hooks/pre-commit"),
    run: (...words: string[]) => {
      const all = [join(cwd, "scripts/hook.ts"), ...words];
      const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: "utf8" });
      return [status, stdout + stderr];
    },
  };
}

test("the hook is there after npm run hook, and gone after --remove", async () => {
  const { hook, run } = await repositoryWithScript();
  const added = "Git now runs npm run check before each commit. git commit --no-verify skips it.\n";
  expect(run()).toEqual([0, added]);
  expect(await readFile(hook, "utf8")).toContain("npm run --silent check");
  expect(run()).toEqual([0, added]);
  expect(run("--remove")).toEqual([0, "Removed the hook.\n"]);
  expect(existsSync(hook)).toBe(false);
  expect(run("--remove")).toEqual([0, "There was no hook.\n"]);
});

test("a hook of a person's own is neither replaced nor removed", async () => {
  const { hook, run } = await repositoryWithScript();
  await mkdir(join(hook, ".."), { recursive: true });
  await writeFile(hook, "#!/bin/sh\n");
  for (const words of [[], ["--remove"]]) {
    expect(run(...words)).toEqual([
      1,
      `${hook} is yours, so it stays as it is. It may call: npm run check\n`,
    ]);
  }
  expect(await readFile(hook, "utf8")).toBe("#!/bin/sh\n");
});
