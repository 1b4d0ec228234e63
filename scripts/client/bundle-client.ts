import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type OutputFile, type Plugin } from "esbuild";
import type { BuiltText } from "../cached-build.ts";
import { PARTS_FOLDER, partsApart, withWorkerScript } from "./client-parts.ts";
import { isShown, onlyMessages } from "./only-messages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOBLE = "@noble/hashes, MIT, Copyright (c) 2022 Paul Miller (https://paulmillr.com)";
const HASH_WASM = "hash-wasm, MIT, Copyright (c) 2020 Dani Biró";

/** What every bundle of the client has in common. */
export const BUILD_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  // The first versions with AbortSignal.any, which the client calls.
  target: ["chrome116", "firefox124", "safari17.4", "node20.3"],
  banner: { js: `/*! Soundferry's client, MIT. Holds ${NOBLE}, and ${HASH_WASM}. */` },
  charset: "utf8",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

/** The parts that are loaded when they are needed; `docs/use/client.md` says what for. */
const PARTS = ["headers", "hash-worker", "portable-hash"];
/** What a script says first that holds nobody else's code. */
export const OWN = "/*! Soundferry's client, MIT. */";
const BANNERS: Readonly<Record<string, string>> = {
  "hash-worker": `/*! Soundferry's client, MIT. Holds ${HASH_WASM}. */`,
  "portable-hash": `/*! Soundferry's client, MIT. Holds ${NOBLE}. */`,
};

/**
 * What a relay serves to pages of other origins, by path: `client.js`, which loads nothing until it sends, and its
 * parts, with the Worker's script for pages that allow no `blob:` Worker.
 */
export async function bundleClientFiles(): Promise<Map<string, string>> {
  const files = new Map([
    ["client.js", (await bundle("client/index.ts", OWN, [partsApart()])).text],
  ]);
  for (const name of PARTS) {
    const { text } = await bundle(`client/parts/${name}.ts`, BANNERS[name] ?? OWN);
    files.set(`${PARTS_FOLDER}/${name}.js`, text);
  }
  return files.set(`${PARTS_FOLDER}/worker.js`, await bundleWorker());
}

/** The script of the hash Worker. */
export async function bundleWorker(): Promise<string> {
  return (await bundle("client/parts/worker.ts", BANNERS["hash-worker"] ?? "", [])).text;
}

/** Any entry of the client with all of its parts, as one ES file for browsers. */
export async function bundleEntry(entry: string): Promise<BuiltText> {
  return bundle(entry, BUILD_OPTIONS.banner.js);
}

/** One entry with all that it imports, minified, for browsers. */
export async function bundle(
  entry: string,
  banner: string,
  plugins?: Plugin[],
): Promise<BuiltText> {
  const { outputFiles, metafile } = await build({
    ...BUILD_OPTIONS,
    banner: { js: banner },
    entryPoints: [entry],
    minify: true,
    platform: "browser",
    plugins: plugins ?? [withWorkerScript(bundleWorker)],
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
    platform: "neutral",
    external: ["node:*"],
    splitting: true,
    outdir: "dist/client",
    chunkNames: "shared-[hash]",
    plugins: [withWorkerScript(bundleWorker), onlyMessages(isShown)],
  });
  const files = new Map(outputFiles.map((file: OutputFile) => [nameOf(file), file.text]));
  return files.set("hash-worker.js", await bundleWorker());
}

function nameOf({ path }: OutputFile): string {
  return relative(`${ROOT}/dist/client`, path);
}
