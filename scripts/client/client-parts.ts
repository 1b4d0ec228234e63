import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { VERSION } from "../../core/version.ts";

/** The folder of what the client loads lazily, beside `client.js`. */
export const PARTS_FOLDER = `client-${VERSION}`;

const PARTS = fileURLToPath(new URL("../../client/parts", import.meta.url));

/** Leaves the lazily loaded parts out: they are files of their own, found relative to the script. */
export function partsApart(): Plugin {
  return {
    name: "parts-apart",
    setup: (build) => {
      build.onResolve({ filter: /^\.\/[^/]+\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import" || resolveDir !== PARTS) return undefined;
        return { path: `./${PARTS_FOLDER}/${basename(path, ".ts")}.js`, external: true };
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
