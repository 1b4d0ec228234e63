import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { copyCheckout } from "../../copied-checkout.ts";
import { smallWav } from "../../wav-bytes.ts";
import { sendAndImport } from "./send-and-import.ts";

const ROOT = join(import.meta.dirname, "../../..");
const COMMAND = "node_modules/soundferry/dist/lib/cli/soundferry.cjs";
const folder = mkdtempSync(join(tmpdir(), "soundferry-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program and returns its output; throws if it fails. */
function run(program: string, words: readonly string[], cwd = folder): string {
  return execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test("[K14] the packed file installs into an empty folder, every entry loads, and the command runs", () => {
  const checkout = join(folder, "checkout");
  copyCheckout(checkout);
  const before = readFileSync(join(ROOT, "package.json"), "utf8");
  run("npm", ["pack", "--pack-destination", folder], checkout);
  expect(readFileSync(join(checkout, "package.json"), "utf8")).toBe(before);

  const { version } = JSON.parse(before);
  writeFileSync(join(folder, "package.json"), '{"name":"empty","private":true,"type":"module"}');
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  run("npm", ["install", ...flags, `soundferry-${version}.tgz`]);
  const installed = JSON.parse(
    readFileSync(join(folder, "node_modules/soundferry/package.json"), "utf8"),
  );
  expect(installed.optionalDependencies).toBeUndefined();
  const filesIn = (path: string) => readdirSync(path, { recursive: true }).map(String).toSorted();
  expect(filesIn(join(folder, "node_modules/soundferry/relay/deploy"))).toEqual(
    filesIn(join(ROOT, "relay", "deploy")),
  );

  writeFileSync(
    join(folder, "try.js"),
    `import { formatPairingCode, VERSION } from "soundferry/core";
     import { buildImporter, PreviewHost, readImporterSettings } from "soundferry/addon";
     import { buildRelay, readRelaySettings } from "soundferry/relay";
     const environment = { SOUNDFERRY_PORT: "0", SOUNDFERRY_DATA: "relay", SOUNDFERRY_LOG_LEVEL: "silent" };
     await using relay = await buildRelay(readRelaySettings({ environment }));
     const { url } = await relay.listen();
     const settings = readImporterSettings({
       environment: { SOUNDFERRY_RELAY_URL: url, SOUNDFERRY_IMPORTER_DATA: "importer", SOUNDFERRY_SOUNDS: "sounds" },
     });
     await using importer = buildImporter({ settings, host: new PreviewHost("session.json") });
     const { code } = await importer.pairingCode();
     console.log(VERSION, formatPairingCode(code).length);`,
  );
  expect(run(process.execPath, ["try.js"]).trim()).toBe(`${version} 7`);

  expect(run(process.execPath, [COMMAND, "--help"])).toContain("send");
  const words = ["live", "install", "--live-library", folder, "--json"];
  const installation = run(process.execPath, [COMMAND, ...words]);
  expect(JSON.parse(installation)).toMatchObject({ version, was: "missing" });
  const command = join(folder, "node_modules/.bin/soundferry");
  expect(run(command, ["--version"]).trim()).toBe(version);

  writeFileSync(
    join(folder, "old-node.cjs"),
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "16.20.2" } });',
  );
  const old = spawnSync(process.execPath, ["--require", "./old-node.cjs", COMMAND, "up"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(old).toMatchObject({ status: 1, stdout: "" });
  expect(old.stderr).toMatch(
    /^Soundferry needs Node [\d.]+ or later; this is Node 16\.20\.2\. .*\n$/,
  );
});

/** Starts the installed command; returns the one value that it prints when it is ready. */
async function start(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const running = spawn(process.execPath, [COMMAND, ...words, "--json"], {
    cwd: folder,
    env: {
      ...process.env,
      SOUNDFERRY_DATA: "relay-data",
      SOUNDFERRY_IMPORTER_DATA: "importer-data",
      SOUNDFERRY_SOUNDS: "up-sounds",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill());
  for await (const line of createInterface({ input: running.stdout })) return JSON.parse(line);
  throw new Error("The command ended before it was ready.");
}

const read = async (address = "") => (await fetch(address)).text();

test("the installed relay and importer show their pages", async () => {
  const { panel_url: panel, relay_url: relay } = await start("up", "--port=0", "--panel-port=0");
  expect(await read(panel)).toContain('id="start"');
  expect(await read(relay)).toContain("<title>");
  expect(await read(`${relay}/client.js`)).toContain("SoundferryClient");
});

test("the installed preview shows its page, and the installed layout writes a DAWproject", async () => {
  const kit = join(ROOT, "fixtures/packages/one-shot-kit");
  const { url } = await start("preview", kit, "--watch");
  expect(await read(url)).toContain("<title>Soundferry preview");
  const module = await read(new URL("/stretch.js", url).href);
  expect(module).toContain("registerProcessor(");
  expect(module).toContain("Copyright (c) 2022 Geraint Luff");
  const command = join(folder, "node_modules/.bin/soundferry");
  run(command, ["layout", kit, "--dawproject", "kit.dawproject"]);
  expect(readFileSync(join(folder, "kit.dawproject")).subarray(0, 2).toString()).toBe("PK");
});

test("the installed suites prove the store of docs/examples/stores, with one instance and two", () => {
  writeStore();
  const words = ["--test", "--test-reporter=tap", "memory-stores.test.ts"];
  const proof = run(process.execPath, words);
  for (const suite of ["records", "hunts", "sounds", "planted faults"]) {
    expect(proof).toMatch(new RegExp(`^ {4}1\\.\\.[1-9]\\d*\nok \\d+ - ${suite}$`, "m"));
  }
  expect(proof).toMatch(/^# fail 0$/m);
  expect(proof).toMatch(/^# skipped 0$/m);
  expect(Number(/^# tests (\d+)$/m.exec(proof)?.[1])).toBeGreaterThan(100);
});

test("[J8] the relay of docs/examples/stores carries a package and creates no file", async () => {
  writeStore();
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const running = spawn(process.execPath, [join(folder, "memory-relay.ts")], {
    cwd: empty,
    env: {
      ...process.env,
      HOME: empty,
      XDG_DATA_HOME: empty,
      TMPDIR: empty,
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill());
  const [url] = await once(createInterface({ input: running.stdout }), "line");
  const { downloaded, statuses } = await sendAndImport(url);
  expect(Buffer.from(downloaded)).toEqual(smallWav());
  expect(statuses).toEqual(["waiting", "imported"]);
  expect(readdirSync(empty)).toEqual([]);
  running.kill();
  expect(await once(running, "exit")).toEqual([0, null]);
  expect(readdirSync(empty)).toEqual([]);
});

test("the store of docs/examples/stores is a strict program on the installed types", () => {
  const types = join(ROOT, "node_modules/@types");
  const flags = [
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
    "--noImplicitOverride",
  ];
  const files = writeStore();
  const node = ["--typeRoots", types, "--types", "node", "--allowImportingTsExtensions"];
  compile(...node, ...flags, ...files);
});

/** Checks programs in the folder strictly. */
function compile(...words: readonly string[]): void {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const strict = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
  run(process.execPath, [compiler, ...strict, "--target", "es2024", ...words]);
}

/** Copies docs/examples/stores into the folder, with the package's imports, as docs/build/stores.md says. */
function writeStore(): readonly string[] {
  const example = join(ROOT, "docs/examples/stores");
  const files = readdirSync(example);
  for (const name of files) {
    const source = readFileSync(join(example, name), "utf8");
    const text = source
      .replaceAll("../../../relay/index.ts", "soundferry/relay")
      .replaceAll("../../../test/contracts/relay/index.ts", "soundferry/relay/testing");
    writeFileSync(join(folder, name), text);
  }
  return files;
}
