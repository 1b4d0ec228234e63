import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle, type Plugin } from "esbuild";
import { builtInConf } from "../built-in-conf.ts";
import { packagesIn } from "./licenses.ts";
import { SDK_NAME } from "./sdk.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT_IN = "soundferry:built-in";
const ATOMICALLY = join(ROOT, "addon/extension/atomically.ts");

export interface ExtensionSources {
  /** Path of the module that is bundled as Live's SDK. */
  readonly sdkEntry: string;
  /** The panel's page. */
  readonly panelPage: string;
  /** The script of the stretching module. */
  readonly stretchScript: string;
  /** The relay address that the panel suggests on the first run; may be empty. */
  readonly suggestedRelayUrl: string;
}

/** The extension in one file. */
export interface ExtensionBundle {
  /** CommonJS that requires only Node's own modules. It contains no path of this computer. */
  readonly code: string;
  /** Names of the npm packages with code in it. */
  readonly packages: readonly string[];
}

/**
 * Bundles the extension for Live. The same sources give the same bytes on every computer.
 * @throws {BuildFailure} if it can't be bundled
 */
export async function bundleExtension(parts: ExtensionSources): Promise<ExtensionBundle> {
  const { outputFiles, metafile } = await bundle({
    entryPoints: ["addon/live-extension.ts"],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node24",
    // Also removes the comments and keys that contain paths.
    minify: true,
    legalComments: "none",
    // Optional native code for `ws`, which newer versions of Node don't need.
    external: ["bufferutil", "utf-8-validate"],
    metafile: true,
    plugins: [builtInConf, putIn(parts)],
    logLevel: "silent",
  });
  return {
    code: outputFiles.map(({ text }) => text).join(""),
    packages: packagesIn(metafile),
  };
}

function putIn(parts: ExtensionSources): Plugin {
  const { sdkEntry, panelPage, stretchScript, suggestedRelayUrl } = parts;
  return {
    name: "soundferry",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${SDK_NAME}$`) }, () => ({ path: sdkEntry }));
      build.onResolve({ filter: /^atomically$/ }, () => ({ path: ATOMICALLY }));
      build.onResolve({ filter: new RegExp(`^${BUILT_IN}$`) }, () => ({
        path: "built-in",
        namespace: "soundferry",
      }));
      build.onResolve({ filter: /\/program\/stretch-module\.ts$/ }, () => ({
        path: "stretch-module",
        namespace: "soundferry-stretch",
      }));
      build.onLoad({ filter: /.*/, namespace: "soundferry-stretch" }, () => ({
        loader: "js",
        resolveDir: ROOT,
        contents: [
          `import { Buffer } from "node:buffer";`,
          `const script = Buffer.from(${JSON.stringify(stretchScript)});`,
          `export const readStretchModule = async () => script;`,
        ].join("\n"),
      }));
      build.onLoad({ filter: /.*/, namespace: "soundferry" }, () => ({
        loader: "js",
        contents: [
          `export const panelPage = ${JSON.stringify(panelPage)};`,
          `export const suggestedRelayUrl = ${JSON.stringify(suggestedRelayUrl)};`,
        ].join("\n"),
      }));
    },
  };
}
