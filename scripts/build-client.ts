import { printSize } from "./print-size.ts";
import { keptBuild } from "./kept-build.ts";

// Builds the client for those who write apps: `dist/client.js`, which a relay serves as `/client.js`,
// and `dist/client/`, a package of its own. Run as a script, it makes both and says how large the file is.

/**
 * The client's first entry as one ES file; kept as `client.js`.
 * @param folder absolute; `dist/` where left out
 */
export async function buildClientScript(folder?: string): Promise<string> {
  const makers = ["scripts/build-client.ts", "scripts/client/bundle-client.ts"];
  // Loaded only now: most calls need no bundler.
  const make = async () => (await import("./client/bundle-client.ts")).bundleClientScript();
  return keptBuild({ fileName: "client.js", makers, make }, folder);
}

if (import.meta.main) {
  const { writeClientPackage } = await import("./client/client-package.ts");
  await writeClientPackage();
  process.stdout.write("dist/client/: the package @soundferry/client\n");
  printSize("dist/client.js", await buildClientScript());
}
