import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OLDEST_NODE } from "../../../cli/doctor/oldest-node.cjs";
import { writeConformancePackage } from "../../../scripts/packages/conformance-package.ts";
import { runNpm } from "../../../scripts/run-npm.ts";
import { makeMachine } from "../../cli/run-soundferry.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { Project } from "./project.ts";

const NAME = "soundferry-conformance";
const MOST_BYTES = 500_000;
let folder = "";
let packed = "";
let program = "";

beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), `${NAME}-`));
  const contents = join(folder, "contents");
  await writeConformancePackage(contents);
  const [{ filename }] = JSON.parse(
    await runNpm(["pack", "--json", "--pack-destination", folder], contents),
  );
  packed = join(folder, filename);
  const project = await Project.make(join(folder, "project"));
  await project.install([packed]);
  program = join(project.folder, "node_modules", NAME, `${NAME}.cjs`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("[PK7] needs no other package, names the licenses of what is in it, and is small", async () => {
  const modules = join(folder, "project", "node_modules");
  const installed = await readdir(modules);
  expect(installed.filter((name) => !name.startsWith("."))).toEqual([NAME]);
  expect((await stat(packed)).size).toBeLessThan(MOST_BYTES);
  const files = await readdir(join(modules, NAME));
  const sizes = await Promise.all(files.map((file) => stat(join(modules, NAME, file))));
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  const licenses = await readFile(join(modules, NAME, "THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(licenses.match(/^[\w-]+ \d+\.\d+\.\d+$/gm)).toEqual(
    ["commander", "p-limit", "ws", "yocto-queue"].map((name) =>
      expect.stringMatching(new RegExp(`^${name} `)),
    ),
  );
});

test("[PK7] checks a relay, with npx and without a network, as `soundferry conformance` does", async () => {
  await using relay = await RunningRelay.start();
  const words = ["--offline", NAME, "--relay", relay.url, "--only", "S1", "--json"];
  const { stdout } = await promisify(execFile)("npx", words, { cwd: join(folder, "project") });
  const report: unknown = JSON.parse(stdout);
  expect(report).toMatchObject({ relay: relay.url, keeps_the_contract: true, failed: 0 });
});

test("[PK7] wrong use is 2 and names the program; no relay is 1", async () => {
  await using machine = await makeMachine([process.execPath, program]);
  const help = await machine.run(["--help"]);
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toContain(`Usage: ${NAME} [options]`);
  const wrong = await machine.run(["--olny", "S1"]);
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
  expect(wrong.stderr).toContain(`Try: ${NAME} --help`);
  const away = await machine.run(["--relay", "http://127.0.0.1:1", "--json"]);
  expect(away).toMatchObject({ status: 1, stderr: expect.stringMatching(/^No relay answers/) });
  expect(JSON.parse(away.stdout)).toHaveProperty("error");
});

test("[PK7][K1] a Node that is too old is said in a sentence", async () => {
  await using machine = await makeMachine([process.execPath, program]);
  const older =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
  const { status, stderr } = await machine.run(["--help"], { NODE_OPTIONS });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `Soundferry needs Node ${OLDEST_NODE} or later; this is Node 20.1.0. Install a newer one.\n`,
  );
});
