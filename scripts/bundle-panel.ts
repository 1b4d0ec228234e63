import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEMPLATE = "addon/panel/panel.html";

export interface BundledPanel {
  readonly page: string;
  /** Every file that it was made from, relative to the project's root. */
  readonly inputs: readonly string[];
}

/**
 * Puts the panel's template, script and style into one HTML text; the same bytes for the same sources.
 * @throws {Error} where the script would end itself too early
 */
export async function bundlePanel(): Promise<BundledPanel> {
  const { outputFiles, metafile } = await build({
    entryPoints: ["addon/panel/panel.tsx", "addon/panel/style/panel.css"],
    absWorkingDir: ROOT,
    outdir: "dist",
    entryNames: "[name]",
    bundle: true,
    minify: true,
    format: "iife",
    // What shows Live's dialogs on macOS 13 and Windows 10.
    target: ["safari16", "chrome110"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const textOf = (ending: string) =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? "";
  const script = textOf(".js");
  if (/<\/script|<!--/i.test(script)) throw new Error("The panel's script would end itself.");
  const template = await readFile(join(ROOT, TEMPLATE), "utf8");
  const page = template
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${textOf(".css")}</style>`)
    .replace(/<script src=[^>]*>/, () => `<script>${script}`);
  return { page, inputs: [TEMPLATE, ...Object.keys(metafile.inputs)] };
}
