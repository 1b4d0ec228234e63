import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** Puts `conf` into a build in one file, where it runs only when it is needed, as `addon/state/load-conf.ts` does. */
export const builtInConf: Plugin = {
  name: "soundferry-conf",
  setup(build) {
    build.onLoad({ filter: /[\\/]addon[\\/]state[\\/]load-conf\.ts$/ }, () => ({
      loader: "js",
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      contents: `export const loadConf = () => require("conf").default;`,
    }));
  },
};
