import type { Plugin } from "esbuild";
import { VERSION } from "../../core/version.ts";

/** The folder of what the client loads lazily, beside `client.js`. */
export const PARTS_FOLDER = `client-${VERSION}`;

/** Leaves the lazily loaded parts out: they are files of their own, found relative to the script. */
export function partsApart(): Plugin {
  return {
    name: "parts-apart",
    setup: (build) => {
      build.onResolve({ filter: /^\.\/parts\/[^/]+\.ts$/ }, ({ kind, path }) => {
        if (kind !== "dynamic-import") return undefined;
        const name = path.slice("./parts/".length, -".ts".length);
        return { path: `./${PARTS_FOLDER}/${name}.js`, external: true };
      });
    },
  };
}

/** Puts the script of the hash Worker, as text, into the part that starts it. */
export function withWorkerScript(makeScript: () => Promise<string>): Plugin {
  return {
    name: "with-worker-script",
    setup: (build) => {
      build.onLoad({ filter: /client[\\/]parts[\\/]worker-script\.ts$/ }, async () => ({
        contents: `export const WORKER_SCRIPT = ${JSON.stringify(await makeScript())};`,
        loader: "js",
      }));
    },
  };
}
