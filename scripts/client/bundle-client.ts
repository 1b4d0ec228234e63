import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type OutputFile } from "esbuild";
import type { BuiltText } from "../cached-build.ts";
import { isOfAudio, isOfElement, onlyMessages } from "./only-messages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What every bundle of the client has in common. */
export const BUILD_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  // The first versions with AbortSignal.any, which the client calls.
  target: ["chrome116", "firefox124", "safari17.4", "node20.3"],
  banner: {
    js: "/*! Soundferry's client, MIT. Holds @noble/hashes, MIT, Copyright (c) 2022 Paul Miller (https://paulmillr.com). */",
  },
  charset: "utf8",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

/** `/client.js`: the first entry as one small ES file for browsers. */
export async function bundleClientScript(): Promise<BuiltText> {
  const { outputFiles, metafile } = await build({
    ...BUILD_OPTIONS,
    entryPoints: ["client/index.ts"],
    minify: true,
    platform: "browser",
  });
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs) };
}

/** The package's entries, unminified, with shared code in separate files; by file name. */
export async function bundleClientEntries(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    ...BUILD_OPTIONS,
    entryPoints: {
      index: "client/index.ts",
      layout: "client/layout.ts",
      node: "client/node/index.ts",
      audio: "client/audio/index.ts",
      element: "client/element/index.ts",
    },
    plugins: [onlyMessages((key, language) => isOfElement(key) || isOfAudio(key, language))],
    platform: "neutral",
    external: ["node:*"],
    splitting: true,
    outdir: "dist/client",
    chunkNames: "shared-[hash]",
  });
  return new Map(outputFiles.map((file: OutputFile) => [nameOf(file), file.text]));
}

function nameOf({ path }: OutputFile): string {
  return relative(`${ROOT}/dist/client`, path);
}
