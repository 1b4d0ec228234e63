import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildClientFiles, buildClientScript } from "./build-client.ts";
import { buildDocsViewer } from "./build-docs-viewer.ts";
import { buildRelayPage } from "./build-page.ts";
import { buildPanelPage } from "./build-panel.ts";
import { buildPreviewPage } from "./build-preview.ts";
import { readStretchScript } from "./read-stretch-script.ts";
import { VALIDATORS } from "./compile-validator.ts";

// Builds what is published: JavaScript, types and pages in dist/lib/, because Node does not strip types in
// node_modules. npm calls it before (`prepack`) and after (`postpack`) it packs. Meanwhile package.json lacks
// the Node runtime and the scripts, which only a checkout needs.

const ROOT = join(import.meta.dirname, "..");
const LIBRARY = join(ROOT, "dist", "lib");
const MANIFEST = join(ROOT, "package.json");
const CONTROL_SURFACE = "addon/hosts/live/remote-script/Soundferry";
const KEPT = join(ROOT, "dist", "package.checkout.json");

async function build(): Promise<void> {
  rmSync(LIBRARY, { recursive: true, force: true });
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  // The compiler does not copy JavaScript that has a declaration file beside it.
  for (const script of Object.keys(VALIDATORS)) {
    for (const path of [script, script.replace(/js$/, "d.ts")]) {
      copyFileSync(join(ROOT, path), join(LIBRARY, path));
    }
  }
  // Live's own language: `soundferry live install` copies these files.
  cpSync(join(ROOT, CONTROL_SURFACE), join(LIBRARY, CONTROL_SURFACE), {
    recursive: true,
    filter: (path) => !path.endsWith("__pycache__"),
  });
  writeFileSync(join(LIBRARY, "stretch.js"), await readStretchScript());
  await Promise.all(
    [
      buildPanelPage,
      buildPreviewPage,
      buildRelayPage,
      buildClientScript,
      buildClientFiles,
      buildDocsViewer,
    ].map((build) => build(LIBRARY)),
  );
}

function slimManifest(): void {
  copyFileSync(MANIFEST, KEPT);
  const {
    optionalDependencies: _runtime,
    devDependencies: _tools,
    overrides: _replaced,
    scripts: { prepack, postpack },
    ...published
  } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const scripts = { prepack, postpack };
  writeFileSync(MANIFEST, `${JSON.stringify({ ...published, scripts }, null, 2)}\n`);
}

function restoreManifest(): void {
  copyFileSync(KEPT, MANIFEST);
  rmSync(KEPT);
}

switch (process.argv[2]) {
  case undefined:
    await build();
    break;
  case "prepack":
    await build();
    slimManifest();
    break;
  case "postpack":
    restoreManifest();
    break;
  default:
    process.stderr.write("Use: node scripts/build-package.ts [prepack | postpack]\n");
    process.exitCode = 2;
}
