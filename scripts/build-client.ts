import { printSize } from "./print-size.ts";
import { cachedBuild } from "./cached-build.ts";

// Builds the client for app developers: `dist/client.js`, which a relay serves as `/client.js`, and the
// package in `dist/client/`. Run as a script, it builds both and prints the file's size.

/**
 * The client's first entry as one ES file, cached as `client.js`.
 * @param folder absolute; default `dist/`
 */
export async function buildClientScript(folder?: string): Promise<string> {
  const makers = ["scripts/build-client.ts", "scripts/client/bundle-client.ts"];
  // Loaded on demand: most calls need no bundler.
  const make = async () => (await import("./client/bundle-client.ts")).bundleClientScript();
  return cachedBuild({ fileName: "client.js", makers, make }, folder);
}

if (import.meta.main) {
  const { writeClientPackage } = await import("./client/client-package.ts");
  await writeClientPackage();
  process.stdout.write("dist/client/: the package @soundferry/client\n");
  printSize("dist/client.js", await buildClientScript());
}
