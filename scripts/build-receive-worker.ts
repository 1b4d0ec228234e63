import { cachedBuild } from "./cached-build.ts";
import { printSize } from "./print-size.ts";

/**
 * Builds the script of the Worker in which the page at `/receive` downloads sounds, cached as `receive-worker.js`.
 * @param folder of the cache, absolute; default `dist/`
 */
export function buildReceiveWorker(folder?: string): Promise<string> {
  const makers = ["scripts/build-receive-worker.ts", "scripts/client/bundle-client.ts"];
  const make = async () => {
    // Loaded on demand: most calls need no bundler.
    const { bundle, HASH_WASM_BANNER } = await import("./client/bundle-client.ts");
    return bundle("pages/receive/importer/download/download-worker.ts", HASH_WASM_BANNER, []);
  };
  return cachedBuild({ fileName: "receive-worker.js", makers, make }, folder);
}

if (import.meta.main) printSize("dist/receive-worker.js", await buildReceiveWorker());
