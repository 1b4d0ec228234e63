import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sentenceOf } from "../core/text/sentence-of.ts";
import { VERSION } from "../core/version.ts";
import { bundleApp } from "./app/bundle-app.ts";
import { makeExecutable } from "./app/make-executable.ts";
import { openNodePackage } from "./app/node-package.ts";
import { packApp } from "./app/pack-app.ts";
import { signForMacos } from "./app/sign-for-macos.ts";
import { judgeNode } from "./app/judge-node.ts";
import { NODE_LICENSE_PACKAGE, type System, SYSTEMS } from "./app/systems.ts";
import { runNpm } from "./run-npm.ts";
import { billName, billOfMaterials } from "./packages/bill-of-materials.ts";
import { unsignForWindows } from "./app/unsign-for-windows.ts";

// Builds the app: the command, Node and all files in one executable, zipped for download, for each system.
// docs/build/release.md describes the release.

const ROOT = join(import.meta.dirname, "..");
const USE = `Use: npm run build:app [-- --system <${SYSTEMS.map(({ name }) => name).join(" | ")}>]…`;

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { system: { type: "string", multiple: true } } });
  const wanted = values.system ?? SYSTEMS.map(({ name }) => name);
  const unknown = wanted.find((name) => !SYSTEMS.some((system) => system.name === name));
  if (unknown !== undefined) throw new Error(`There is no system "${unknown}".`);
  const bundle = await bundleApp();
  for (const system of SYSTEMS.filter(({ name }) => wanted.includes(name))) {
    const { name, nodePackage, nodePath, program } = system;
    const path = `dist/app/${name}/${program}`;
    const node = join(await openNodePackage(nodePackage), nodePath);
    await makeExecutable(bundle, node, join(ROOT, path));
    const executable = fitSignature(await readFile(join(ROOT, path)), system);
    await writeFile(join(ROOT, path), executable);
    printFile(path, executable);
    const zip = `dist/Soundferry-${VERSION}-${name}.zip`;
    const packed = await packApp(executable, system, bundle.packages);
    await writeFile(join(ROOT, zip), packed);
    printFile(zip, packed);
  }
  const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const ask = (wanted: string) => runNpm(["view", wanted, "version"], ROOT);
  const lacks = await judgeNode(optionalDependencies[NODE_LICENSE_PACKAGE], ask);
  if (lacks !== undefined) process.stderr.write(`${lacks}\n`);
  const bill = Buffer.from(await billOfMaterials({ hasNode: true }));
  await writeFile(join(ROOT, "dist", billName("Soundferry")), bill);
  printFile(`dist/${billName("Soundferry")}`, bill);
}

/** The signature of Node itself doesn't fit any more. */
function fitSignature(program: Uint8Array, { name }: System): Uint8Array {
  if (name.startsWith("macos-")) return signForMacos(program, "Soundferry");
  return name.startsWith("windows-") ? unsignForWindows(program) : program;
}

function printFile(path: string, bytes: Uint8Array): void {
  const hash = createHash("sha256").update(bytes).digest("hex");
  process.stdout.write(`${path}: ${bytes.length} bytes, SHA-256 ${hash}\n`);
}

if (import.meta.main) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n${USE}\n`);
    process.exitCode = 1;
  }
}
