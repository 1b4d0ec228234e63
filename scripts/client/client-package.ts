import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../core/version.ts";
import { formatLicenses } from "../live/licenses.ts";
import { node10Fields } from "../packages/node10-fields.ts";
import { bundleClientEntries } from "./bundle-client.ts";
import { emitTypes } from "./roll-up-types.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The entries by import path, and the sources of their types. */
const ENTRIES = {
  ".": { file: "index", types: "client/index" },
  "./layout": { file: "layout", types: "client/layout" },
  "./node": { file: "node", types: "client/node/index" },
  "./audio": { file: "audio", types: "client/audio/index" },
  "./element": { file: "element", types: "client/element/index" },
};

/**
 * Writes the package `@soundferry/client`: JavaScript, types, package.json, license and README.
 * @param folder absolute; emptied first; default `dist/client/`
 */
export async function writeClientPackage(folder = join(ROOT, "dist", "client")): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeEntries(folder),
    emitTypes(join(folder, "types")),
    writeFile(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`),
    copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE")),
    writeFile(
      join(folder, "THIRD-PARTY-LICENSES.txt"),
      await formatLicenses(["@noble/hashes", "hash-wasm"]),
    ),
    writeFile(join(folder, "README.md"), await readme()),
  ]);
}

async function writeEntries(folder: string): Promise<void> {
  for (const [name, text] of await bundleClientEntries()) await writeFile(join(folder, name), text);
}

/** Reads the client's page, without its links, whose targets are not in the package. */
async function readme(): Promise<string> {
  const page = await readFile(join(ROOT, "docs", "use", "client.md"), "utf8");
  return page.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

function packageJson(): object {
  const entries = Object.entries(ENTRIES).map(([entry, { file, types }]) => [
    entry,
    { types: `./types/${types}.d.ts`, default: `./${file}.js` },
  ]);
  const exports = Object.fromEntries(entries);
  return {
    name: "@soundferry/client",
    version: VERSION,
    description: "Sends sounds from any app into Ableton Live, through a Soundferry relay.",
    license: "MIT",
    type: "module",
    // Importing the element defines its tag.
    sideEffects: ["./element.js"],
    ...node10Fields(exports),
    exports: {
      ...exports,
      "./hash-worker.js": "./hash-worker.js",
      "./package.json": "./package.json",
    },
    engines: { node: ">=20.3" },
  };
}
