import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { BuiltText } from "./cached-build.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A page's source files, relative to the project's root. */
export interface PageSources {
  /** HTML with one `<link rel="stylesheet">` and one `<script src>`, which the bundled ones replace. */
  readonly template: string;
  readonly script: string;
  readonly style: string;
  /** Tables of messages that the page doesn't use, by the start of their keys, such as `panel`. */
  readonly unusedMessages?: readonly string[];
}

/**
 * Bundles a page's template, script and style into one HTML text; the same bytes for the same sources.
 * @throws {Error} if the script contains its own end tag
 */
export async function bundlePage({
  template,
  script,
  style,
  unusedMessages = [],
}: PageSources): Promise<BuiltText> {
  const { outputFiles, metafile } = await build({
    entryPoints: [script, style],
    absWorkingDir: ROOT,
    outdir: "dist",
    entryNames: "[name]",
    bundle: true,
    plugins: unusedMessages.map(withoutMessages),
    minify: true,
    format: "iife",
    // The web views of Live's dialogs on macOS 13 and Windows 10.
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
  const code = textOf(".js");
  if (/<\/script|<!--/i.test(code)) throw new Error(`The script of ${script} would end itself.`);
  const html = await readFile(join(ROOT, template), "utf8");
  const text = html
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${textOf(".css")}</style>`)
    .replace(/<script src=[^>]*>/, () => `<script>${code}`);
  return { text, inputs: [template, ...Object.keys(metafile.inputs)] };
}

/** Empties the tables of one area in every language: the bundler can't know which keys a page uses. */
function withoutMessages(area: string): Plugin {
  return {
    name: `without ${area} messages`,
    setup: (bundler) => {
      const filter = new RegExp(`[\\\\/]messages[\\\\/]\\w+[\\\\/]${area}\\.ts$`);
      bundler.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const tables = [...source.matchAll(/^export const (\w+)/gm)];
        return { contents: tables.map(([, name]) => `export const ${name} = {};`).join("\n") };
      });
    },
  };
}
