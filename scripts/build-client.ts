import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { VERSION } from "../core/version.ts";
import { printSize } from "./print-size.ts";
import { cachedBuild } from "./cached-build.ts";

// Builds the client for app developers: `dist/client.js` and all else that a relay serves to pages of other origins,
// and the package in `dist/client/`. Run as a script, it builds everything and prints the sizes.

const ROOT = join(import.meta.dirname, "..");

/**
 * The client's first entry as one ES file, cached as `client.js`.
 * @param folder absolute; default `dist/`
 */
export async function buildClientScript(folder?: string): Promise<string> {
  const makers = ["scripts/build-client.ts", "scripts/client/bundle-client.ts"];
  // Loaded on demand: most calls need no bundler.
  const make = async () =>
    (await import("./client/bundle-client.ts")).bundleEntry("client/index.ts");
  return cachedBuild({ fileName: "client.js", makers, make }, folder);
}

/**
 * The files that a relay serves to pages of other origins, by path, as `relay/http/pages.ts` describes them.
 * Cached as one file, `client-files.json`.
 * @param folder absolute; default `dist/`
 */
export async function buildClientFiles(folder?: string): Promise<ReadonlyMap<string, string>> {
  const makers = ["scripts/build-client.ts"];
  const make = async () => {
    const files = await makeClientFiles();
    return { text: JSON.stringify([...files], null, 1), inputs: await sourcesOfClient() };
  };
  const text = await cachedBuild({ fileName: "client-files.json", makers, make }, folder);
  return new Map(JSON.parse(text) as [string, string][]);
}

async function makeClientFiles(): Promise<ReadonlyMap<string, string>> {
  const { bundleClientFiles } = await import("./client/bundle-client.ts");
  const { bundleElementFiles } = await import("./client/bundle-element.ts");
  const { rollUpTypes } = await import("./client/roll-up-types.ts");
  const [client, element, types] = await Promise.all([
    bundleClientFiles(),
    bundleElementFiles(),
    rollUpTypes({
      client: "client/index",
      audio: "client/audio/index",
      element: "client/element/index",
    }),
  ]);
  const declarations = [...types].map(([name, text]): [string, string] => [
    `${name}-${VERSION}.d.ts`,
    text,
  ]);
  return new Map([...client, ...element, ...declarations]);
}

/** Every source that can matter: types come from files that no bundle has. */
async function sourcesOfClient(): Promise<readonly string[]> {
  const folders = ["client", "core", "scripts/client"];
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
    }),
  );
  return paths.flat().toSorted();
}

if (import.meta.main) {
  const { writeClientPackage } = await import("./client/client-package.ts");
  await writeClientPackage();
  process.stdout.write("dist/client/: the package @soundferry/client\n");
  printSize("dist/client.js", await buildClientScript());
  for (const [path, text] of await buildClientFiles()) printSize(path, text);
}
