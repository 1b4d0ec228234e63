import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type OutputFile, type Plugin } from "esbuild";
import { VERSION } from "../../core/version.ts";
import type { BuiltText } from "../cached-build.ts";
import { isShown, onlyMessages } from "./only-messages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOBLE = "@noble/hashes, MIT, Copyright (c) 2022 Paul Miller (https://paulmillr.com)";
const HASH_WASM = "hash-wasm, MIT, Copyright (c) 2020 Dani Biró";

/** Options that every bundle of the client has in common. */
const BUILD_OPTIONS = {
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

/** The folder of the lazily loaded parts, beside `client.js`. */
const PARTS_FOLDER = `client-${VERSION}`;
const PARTS = join(ROOT, "client", "parts");
/** The lazily loaded parts; `docs/use/client.md` says what for. */
const PART_NAMES = ["causes", "checks", "hash-worker", "keeping", "portable-hash", "uploading"];
/** Banner of a script without third-party code. */
export const OWN = "/*! Soundferry's client, MIT. */";
/** Banner of a script that holds WebAssembly's hash. */
export const HASH_WASM_BANNER = `/*! Soundferry's client, MIT. Holds ${HASH_WASM}. */`;
const BANNERS: Readonly<Record<string, string>> = {
  "hash-worker": HASH_WASM_BANNER,
  "portable-hash": `/*! Soundferry's client, MIT. Holds ${NOBLE}. */`,
};

/**
 * Builds the files that a relay serves to pages of other origins, by path: `client.js`, which loads nothing until it
 * sends, and its parts, with the Worker's script for pages that allow no `blob:` Worker.
 */
export async function bundleClientFiles(): Promise<Map<string, string>> {
  const files = new Map([
    ["client.js", (await bundle("client/index.ts", OWN, [partsApart()])).text],
  ]);
  for (const name of PART_NAMES) {
    const { text } = await bundle(`client/parts/${name}.ts`, BANNERS[name] ?? OWN);
    files.set(`${PARTS_FOLDER}/${name}.js`, text);
  }
  return files
    .set(`${PARTS_FOLDER}/worker.js`, await bundleWorker())
    .set(`${PARTS_FOLDER}/listening-worker.js`, await bundleWorker("listening-worker"));
}

/** Builds the script of a Worker. */
export async function bundleWorker(name: WorkerName = "worker"): Promise<string> {
  const banner = name === "worker" ? (BANNERS["hash-worker"] ?? "") : OWN;
  return (await bundle(`client/parts/${name}.ts`, banner, [])).text;
}

/** The Workers, and where their scripts are put as text. */
const WORKERS = {
  worker: { module: "worker-script", constant: "WORKER_SCRIPT" },
  "listening-worker": { module: "listening-script", constant: "LISTENING_SCRIPT" },
} as const;

type WorkerName = keyof typeof WORKERS;

/** Builds any entry of the client with all of its parts, as one ES file for browsers. */
export async function bundleEntry(entry: string): Promise<BuiltText> {
  return bundle(entry, BUILD_OPTIONS.banner.js);
}

/** Builds one entry with all of its imports, minified, for browsers. */
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
    plugins: plugins ?? [withWorkerScript("worker")],
  });
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs) };
}

/** Builds the package's entries, unminified, with shared code in separate files; by file name. */
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
    plugins: [
      withWorkerScript("worker"),
      withWorkerScript("listening-worker"),
      onlyMessages(isShown),
    ],
  });
  const files = new Map(outputFiles.map((file: OutputFile) => [nameOf(file), file.text]));
  return files.set("hash-worker.js", await bundleWorker());
}

function nameOf({ path }: OutputFile): string {
  return relative(`${ROOT}/dist/client`, path);
}

/** Keeps the lazily loaded parts as separate files, found relative to the script. */
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

/** Puts the script of a Worker, as text, into the part that starts it. */
export function withWorkerScript(name: WorkerName): Plugin {
  const { module, constant } = WORKERS[name];
  return {
    name: `with-${module}`,
    setup: (build) => {
      const filter = new RegExp(`client[\\\\/]parts[\\\\/]${module}\\.ts$`);
      build.onLoad({ filter }, async () => ({
        contents: `export const ${constant} = ${JSON.stringify((await bundleWorker(name)).trim())};`,
        loader: "js",
      }));
    },
  };
}
