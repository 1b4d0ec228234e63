import { createHash } from "node:crypto";
import { join } from "node:path";
import { buildRelayPage, bundlePage } from "./build-pages.ts";
import { type BuiltText, cachedBuild } from "./cached-build.ts";
import { printSize } from "./print-size.ts";
import { drawIcon, formatIcon } from "./web-app/draw-icon.ts";

// Builds what makes the relay's page an app: its service worker and its icons. Run as a script, it prints their sizes.

const ROOT = join(import.meta.dirname, "..");
const CORNER = 0.2;
/** The circle that every system shows of an icon has a diameter of 0.8; the mark lies within it. */
const MASKED = 0.95;

/**
 * The app's files, by path, as `relay/http/app-links.ts` describes them; a PNG is in Base64. Cached as one file,
 * `web-app.json`.
 * @param folder absolute; default `dist/`
 */
export async function buildWebApp(folder?: string): Promise<ReadonlyMap<string, string>> {
  const makers = [
    "scripts/build-web-app.ts",
    "scripts/build-pages.ts",
    ...["draw-icon", "encode-png", "icon-shapes"].map((name) => `scripts/web-app/${name}.ts`),
  ];
  const make = async (): Promise<BuiltText> => {
    const [page, worker] = [await bundlePage("page"), await bundleWorker()];
    const files = [["app-worker.js", worker.text], ...drawIcons()];
    return { text: JSON.stringify(files, null, 1), inputs: [...page.inputs, ...worker.inputs] };
  };
  const text = await cachedBuild({ fileName: "web-app.json", makers, make }, folder);
  return new Map(JSON.parse(text) as [string, string][]);
}

/** Bundles the service worker. It has the page's digest, so that browsers take every new page for a new worker. */
async function bundleWorker(): Promise<BuiltText> {
  const { build } = await import("esbuild");
  const digest = createHash("sha256")
    .update(await buildRelayPage())
    .digest("hex")
    .slice(0, 16);
  const { outputFiles, metafile } = await build({
    entryPoints: ["pages/send/app/app-worker.ts"],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["safari16", "chrome110"],
    define: { PAGE_DIGEST: JSON.stringify(digest) },
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const text = outputFiles.map((file) => file.text.trim()).join("");
  return { text, inputs: Object.keys(metafile.inputs) };
}

function drawIcons(): readonly (readonly [path: string, content: string])[] {
  const png = (sizePixels: number, corner: number, scale: number): string =>
    Buffer.from(drawIcon({ sizePixels, corner, scale })).toString("base64");
  return [
    ["app-icon.svg", formatIcon({ corner: CORNER, scale: 1 })],
    ["app-icon-192.png", png(192, CORNER, 1)],
    ["app-icon-512.png", png(512, CORNER, 1)],
    ["app-icon-maskable-512.png", png(512, 0, MASKED)],
    // This system rounds the corners itself.
    ["app-icon-apple-180.png", png(180, 0, MASKED)],
  ];
}

if (import.meta.main) for (const [path, text] of await buildWebApp()) printSize(path, text);
