import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { strFromU8, unzipSync } from "fflate";
import { create } from "tar";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../core/version.ts";
import { buildLive, PANEL_PACKAGES } from "../../scripts/build-live.ts";
import { openSdk } from "../../scripts/live/sdk.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { builtExtension } from "./live/live-node.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SDK = { name: "@ableton-extensions/sdk", version: "1.0.0" };
const CODE = 'exports.initialize = () => "made-up SDK";\n';

/** A folder with a package that looks like Live's SDK. */
async function writeSdk(
  folder: string,
  files: Readonly<Record<string, string>> = { "index.js": CODE },
  more: object = {},
): Promise<string> {
  const all = { "package.json": JSON.stringify({ ...SDK, ...more }), ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

function filesOf(archive: Uint8Array): Record<string, string> {
  const files = Object.entries(unzipSync(archive));
  return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]));
}

test("[H10] the manifest has five fields, and its name and author never change", async () => {
  const { archive, code } = await builtExtension();
  const files = filesOf(archive);
  expect(JSON.parse(files["manifest.json"] ?? "")).toEqual({
    name: "Soundferry",
    author: "Soundferry",
    version: VERSION,
    entry: "extension.js",
    minimumApiVersion: "1.0.0",
  });
  expect(files["extension.js"]).toBe(code);
});

test("[H10] the same sources give the same bytes, which contain no folder of this computer", async () => {
  const { archive, code } = await builtExtension();
  const again = await buildLive();
  expect(Buffer.from(again.archive).equals(archive)).toBe(true);
  expect(code).not.toContain(ROOT);
  expect(code).not.toContain(encodeURI(ROOT));
});

test("without the SDK it is smaller than 1.4 MB, and loads nothing with import()", async () => {
  const { code, hasSdk } = await builtExtension();
  expect(hasSdk).toBe(false);
  expect(Buffer.byteLength(code)).toBeLessThan(1_400_000);
  expect(code).not.toMatch(/\bimport\(["'`]/);
});

test("it contains the license of every package in it", async () => {
  const { archive } = await builtExtension();
  const { "THIRD-PARTY-LICENSES.txt": licenses = "", "LICENSE.txt": own } = filesOf(archive);
  for (const name of ["ajv", "chokidar", "conf", "preact", "uqr", "ws"]) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m"));
  }
  expect(own).toContain("MIT");
});

test("the list of the panel page's packages is complete", async () => {
  const folder = join(ROOT, "pages", "panel");
  const paths = await readdir(folder, { recursive: true });
  const sources = paths.filter((path) => /(?<!\.d)\.tsx?$/.test(path));
  const texts = await Promise.all(sources.map((path) => readFile(join(folder, path), "utf8")));
  const imports = texts.join("\n").matchAll(/ from "([^."][^"/]*)/g);
  const names = new Set(["preact"]);
  for (const [, name = ""] of imports) names.add(name);
  expect(names).toEqual(new Set(PANEL_PACKAGES));
});

describe("with --sdk", () => {
  test("[H10] a folder, and a .tgz in another folder, give the same bytes", async () => {
    const folder = await temporaryFolder();
    const sdk = await writeSdk(join(folder, "package"));
    const around = join(folder, "download");
    await mkdir(around);
    const packed = join(around, "ableton-extensions-sdk-1.0.0.tgz");
    await create({ file: packed, gzip: true, cwd: folder }, ["package"]);

    const [one, other] = await Promise.all([buildLive({ sdk }), buildLive({ sdk: around })]);
    expect(one.hasSdk).toBe(true);
    expect(one.code).toContain("made-up SDK");
    expect(one.code).not.toContain(folder);
    expect(Buffer.from(one.archive).equals(other.archive)).toBe(true);
  });

  test("accepts the .tgz itself, and the package's entry for require", async () => {
    const folder = await temporaryFolder();
    const exports = { ".": { import: "./esm.mjs", require: "./lib/main.cjs" } };
    const files = { "lib/main.cjs": CODE, "esm.mjs": "throw new Error();" };
    const sdk = await writeSdk(join(folder, "package"), files, { exports });
    expect((await openSdk(sdk)).entry).toBe(join(sdk, "lib", "main.cjs"));

    const packed = join(folder, "sdk.tgz");
    await create({ file: packed, gzip: true, cwd: folder }, ["package"]);
    const opened = await openSdk(packed);
    expect(await readFile(opened.entry, "utf8")).toBe(CODE);
    await opened[Symbol.asyncDispose]();
    expect(existsSync(opened.entry)).toBe(false);
  });

  test("says in a sentence what is wrong with the SDK", async () => {
    const folder = await temporaryFolder();
    const refuse = async (sdk: string, sentence: RegExp) =>
      expect(openSdk(sdk)).rejects.toThrow(sentence);
    await refuse(join(folder, "nothing"), /^There is nothing at .*nothing\.$/);
    await refuse(folder, /holds neither a package\.json nor one \.tgz of the SDK\.$/);
    await writeFile(join(folder, "sdk.zip"), "");
    await refuse(join(folder, "sdk.zip"), /is neither a folder nor a \.tgz\.$/);
    const other = await writeSdk(join(folder, "other"), {}, { name: "left-pad" });
    await refuse(other, /is left-pad, not @ableton-extensions\/sdk\.$/);
    const empty = await writeSdk(join(folder, "empty"), { "index.js": "" });
    await refuse(empty, /exports no initialize\.$/);
  });
});

test("[N4] --relay sets the address that the panel suggests, and is validated", async () => {
  const { code } = await buildLive({ relay: "relay.example/" });
  expect(code).toContain('"https://relay.example"');
  await expect(buildLive({ relay: "http://relay.example" })).rejects.toThrow(
    /^--relay must begin with https:\/\//,
  );
});
