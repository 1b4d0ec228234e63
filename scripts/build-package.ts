import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildClientFiles, buildClientScript } from "./build-client.ts";
import {
  buildPanelPage,
  buildPreviewPage,
  buildReceivePage,
  buildRelayPage,
  buildReportStyle,
} from "./build-pages.ts";
import { buildWebApp } from "./build-web-app.ts";
import { buildReceiveWorker } from "./build-receive-worker.ts";
import { publishedManifest } from "./packages/published-manifest.ts";
import { readStretchScript } from "./read-stretch-script.ts";
import { VALIDATORS } from "./compile-validator.ts";

// Builds what is published: JavaScript, types and pages in dist/lib/, because Node does not strip types in
// node_modules. npm calls it before (`prepack`) and after (`postpack`) it packs. Meanwhile package.json is the
// published one. scripts/packages/ makes the same package without touching the checkout.

const ROOT = join(import.meta.dirname, "..");
const LIBRARY = join(ROOT, "dist", "lib");
const MANIFEST = join(ROOT, "package.json");
const CONTROL_SURFACE = "addon/hosts/live/remote-script/Soundferry";
const KEPT = join(ROOT, "dist", "package.checkout.json");

/**
 * Writes the published JavaScript, types and pages.
 * @param folder absolute; emptied first; default `dist/lib/`
 */
export async function buildLibrary(folder = LIBRARY): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(
    process.execPath,
    [compiler, "-p", "scripts/config/tsconfig.build.json", "--outDir", folder],
    {
      cwd: ROOT,
      stdio: "inherit",
    },
  );
  // The compiler does not copy JavaScript that has a declaration file beside it.
  for (const script of Object.keys(VALIDATORS)) {
    for (const path of [script, script.replace(/js$/, "d.ts")]) {
      copyFileSync(join(ROOT, path), join(folder, path));
    }
  }
  // Live's own language: `soundferry live install` copies these files.
  cpSync(join(ROOT, CONTROL_SURFACE), join(folder, CONTROL_SURFACE), {
    recursive: true,
    filter: (path) => !path.endsWith("__pycache__"),
  });
  writeFileSync(join(folder, "stretch.js"), await readStretchScript());
  await Promise.all(
    [
      buildPanelPage,
      buildPreviewPage,
      buildReceivePage,
      buildRelayPage,
      buildReportStyle,
      buildClientScript,
      buildClientFiles,
      buildWebApp,
      buildReceiveWorker,
    ].map((build) => build(folder)),
  );
}

function slimManifest(): void {
  copyFileSync(MANIFEST, KEPT);
  const text = readFileSync(MANIFEST, "utf8");
  const { prepack, postpack } = JSON.parse(text).scripts;
  const slim = { ...publishedManifest(text), scripts: { prepack, postpack } };
  writeFileSync(MANIFEST, `${JSON.stringify(slim, null, 2)}\n`);
}

function restoreManifest(): void {
  copyFileSync(KEPT, MANIFEST);
  rmSync(KEPT);
}

async function run(act: string | undefined): Promise<void> {
  if (act !== undefined && act !== "prepack" && act !== "postpack") {
    process.stderr.write("Use: node scripts/build-package.ts [prepack | postpack]\n");
    process.exitCode = 2;
    return;
  }
  if (act !== "postpack") await buildLibrary();
  if (act === "prepack") slimManifest();
  if (act === "postpack") restoreManifest();
}

if (import.meta.main) await run(process.argv[2]);
