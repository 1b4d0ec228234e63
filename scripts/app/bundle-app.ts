import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type BuildOptions, type BuildResult } from "esbuild";
import { builtInConf } from "../built-in-conf.ts";
import { buildClientFiles } from "../build-client.ts";
import { buildReceiveWorker } from "../build-receive-worker.ts";
import {
  buildPanelPage,
  buildPreviewPage,
  buildReceivePage,
  buildRelayPage,
  buildReportStyle,
} from "../build-pages.ts";
import { PANEL_PACKAGES } from "../build-live.ts";
import { buildWebApp } from "../build-web-app.ts";
import { packagesIn } from "../live/licenses.ts";
import { readStretchScript, STRETCH_PACKAGE } from "../read-stretch-script.ts";

const ROOT = join(import.meta.dirname, "../..");
const WORKERS = [
  "relay/storage/disk/removal-worker",
  "relay/storage/sqlite/write-worker",
  "program/hashing/hash-worker",
];
const REMOTE_SCRIPT = "addon/hosts/live/remote-script/Soundferry";

/** The app without Node. */
export interface AppBundle {
  /** The command as one ES module that imports only Node's own modules. */
  readonly code: string;
  /** The program's own files by their paths, as `program/own-files.ts` reads them. */
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  /** Names of the npm packages with code in it. */
  readonly packages: readonly string[];
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  // Some packages' CommonJS can't be bundled.
  mainFields: ["module", "main"],
  target: "node26",
  // Also removes the comments that contain paths.
  minify: true,
  legalComments: "none",
  // Optional native code for `ws`, which newer versions of Node don't need.
  external: ["bufferutil", "utf-8-validate"],
  // Its other build loads its parts with a `require` that no bundler sees.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [builtInConf],
  metafile: true,
  write: false,
  logLevel: "silent",
} satisfies BuildOptions;

/** Bundles the app. The same sources give the same bytes on every computer. */
export async function bundleApp(): Promise<AppBundle> {
  const [
    main,
    workers,
    panel,
    page,
    preview,
    report,
    client,
    webApp,
    receive,
    receiveWorker,
    stretch,
    script,
  ] = await Promise.all([
    build({
      ...OPTIONS,
      entryPoints: ["cli/commands/app.ts"],
      format: "esm",
      // Packages in CommonJS call it.
      banner: {
        js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);',
      },
    }),
    // A thread that starts from a text is CommonJS.
    Promise.all(
      WORKERS.map((path) => build({ ...OPTIONS, entryPoints: [`${path}.ts`], format: "cjs" })),
    ),
    buildPanelPage(),
    buildRelayPage(),
    buildPreviewPage(),
    buildReportStyle(),
    buildClientFiles(),
    buildWebApp(),
    buildReceivePage(),
    buildReceiveWorker(),
    readStretchScript(),
    readRemoteScript(),
  ]);
  return {
    code: inAscii(textOf(main)),
    files: new Map<string, Uint8Array | string>([
      ["panel.html", panel],
      ["page.html", page],
      ["preview.html", preview],
      ["report.css", report],
      ["client-files.json", JSON.stringify([...client])],
      ["web-app.json", JSON.stringify([...webApp])],
      ["receive.html", receive],
      ["receive-worker.js", receiveWorker],
      ["stretch.js", stretch],
      ...workers.map((worker, index) => [`${WORKERS[index]}.js`, textOf(worker)] as const),
      ...script,
    ]),
    packages: [
      ...new Set([
        ...[main, ...workers].flatMap(({ metafile }) => packagesIn(metafile)),
        ...PAGE_PACKAGES,
      ]),
    ],
  };
}

/** In the pages and the client. */
export const PAGE_PACKAGES = [...PANEL_PACKAGES, STRETCH_PACKAGE, "@noble/hashes"];

/** Live's control surface: its Python files by their paths. */
async function readRemoteScript(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const names = await readdir(join(ROOT, REMOTE_SCRIPT));
  const paths = names
    .filter((name) => name.endsWith(".py"))
    .map((name) => `${REMOTE_SCRIPT}/${name}`);
  return Promise.all(
    paths.sort().map(async (path) => [path, await readFile(join(ROOT, path))] as const),
  );
}

/**
 * Escapes the characters beyond ASCII in code. esbuild leaves them in regular expressions only. With a single one, V8 keeps
 * two bytes for each character of the app.
 */
function inAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function textOf({ outputFiles = [] }: BuildResult): string {
  return outputFiles.map(({ text }) => text).join("");
}
