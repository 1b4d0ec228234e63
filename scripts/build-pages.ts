import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import type { MessageKey } from "../core/messages/en/english.ts";
import type { RefusalCode } from "../core/protocol/refusals.ts";
import { type BuiltText, cachedBuild } from "./cached-build.ts";
import { printSize } from "./print-size.ts";

// Builds the pages for browsers. Each is one HTML file with inline script and style, so that Live's dialog can show it without a
// server. Run as a script, it prints their sizes.

const ROOT = join(import.meta.dirname, "..");

/** A page's sources, whose paths are relative to the project's root. */
interface PageSources {
  readonly title: string;
  /** The page's name at the start of a sentence. */
  readonly name: string;
  /** HTML of its own for the head and the body, a line each. */
  readonly head?: readonly string[];
  readonly body?: readonly string[];
  readonly script: string;
  readonly style: string;
  /** Tables of messages that the page doesn't use, by the start of their keys. */
  readonly unusedMessages: readonly string[];
}

/** The pages, by the names of their files in `dist/`. */
const PAGES = {
  panel: {
    title: "Soundferry",
    name: "The panel",
    body: ['<script type="application/json" id="start">', "  null", "</script>"],
    script: "pages/panel/panel.tsx",
    style: "pages/panel/style/panel.css",
    unusedMessages: ["page", "send"],
  },
  page: {
    title: "Soundferry: send sounds",
    name: "This page",
    head: [
      '<meta name="relay" content="" />',
      // The color of the page's bars, which a phone's own bar takes.
      '<meta name="theme-color" content="#f7f6f4" media="(prefers-color-scheme: light)" />',
      '<meta name="theme-color" content="#292929" media="(prefers-color-scheme: dark)" />',
    ],
    script: "pages/send/page.tsx",
    style: "pages/send/style/page.css",
    unusedMessages: ["panel", "run"],
  },
  preview: {
    title: "Soundferry preview",
    name: "The preview",
    script: "pages/preview/preview.tsx",
    style: "pages/preview/style/preview.css",
    unusedMessages: ["panel", "page", "run"],
  },
} as const satisfies Record<string, PageSources>;

type PageName = keyof typeof PAGES;

/** The web views of Live's dialogs on macOS 13 and Windows 10. */
const TARGETS = ["safari16", "chrome110"];

/**
 * Builds the panel's page, cached as `panel.html`. Its `#start` element holds `null`; Live's dialog replaces it with a
 * `PanelStart` as JSON, with every `<` written as `\u003c`.
 */
export const buildPanelPage = builderOf("panel");

/** Builds the relay's page. It calls the relay in its `<meta name="relay">`, or the one that serves it if that is empty. */
export const buildRelayPage = builderOf("page");

/** Builds the page of `soundferry preview`. */
export const buildPreviewPage = builderOf("preview");

/** Builds the style sheet of the page that `soundferry layout --check --html` writes. */
export function buildReportStyle(folder?: string): Promise<string> {
  const make = async (): Promise<BuiltText> => {
    const { build } = await import("esbuild");
    const { outputFiles, metafile } = await build({
      entryPoints: ["pages/report/style/report.css"],
      absWorkingDir: ROOT,
      bundle: true,
      minify: true,
      target: TARGETS,
      charset: "utf8",
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const text = outputFiles.map((file) => file.text.trim()).join("");
    return { text, inputs: Object.keys(metafile.inputs) };
  };
  return cachedBuild({ fileName: "report.css", makers: ["scripts/build-pages.ts"], make }, folder);
}

/** Builds a page as one HTML text that loads nothing else. @param folder of the cache, absolute; default `dist/` */
function builderOf(name: PageName): (folder?: string) => Promise<string> {
  const build = { fileName: `${name}.html`, makers: ["scripts/build-pages.ts"] };
  return (folder) => cachedBuild({ ...build, make: () => bundlePage(name) }, folder);
}

/**
 * Bundles a page's script and style into one HTML text; the same bytes for the same sources.
 * @throws {Error} if the script contains its own end tag
 */
export async function bundlePage(name: PageName): Promise<BuiltText> {
  const page: PageSources = PAGES[name];
  // Loaded on demand: most calls need no bundler.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    entryPoints: [page.script, page.style],
    absWorkingDir: ROOT,
    outdir: "dist",
    entryNames: "[name]",
    bundle: true,
    plugins: [
      ...page.unusedMessages.map(withoutMessages),
      ...(name === "page" ? [withoutTexts] : []),
    ],
    minify: true,
    format: "iife",
    target: TARGETS,
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
  if (/<\/script|<!--/i.test(code)) throw new Error(`The script of ${name} would end itself.`);
  const text = formatPage(page, { style: textOf(".css"), code });
  return { text, inputs: Object.keys(metafile.inputs) };
}

function formatPage(
  { title, name, head = [], body = [] }: PageSources,
  { style, code }: { readonly style: string; readonly code: string },
): string {
  const lines = [
    "<!doctype html>",
    '<html lang="en">',
    "  <head>",
    '    <meta charset="utf-8" />',
    '    <meta name="viewport" content="width=device-width, initial-scale=1" />',
    '    <meta name="color-scheme" content="light dark" />',
    '    <meta name="referrer" content="no-referrer" />',
    ...head.map((line) => `    ${line}`),
    '    <link rel="icon" href="data:," />',
    `    <title>${title}</title>`,
    `    <style>${style}</style>`,
    "  </head>",
    "  <body>",
    `    <noscript>${name} needs JavaScript.</noscript>`,
    ...body.map((line) => `    ${line}`),
    `    <script>${code}</script>`,
    "  </body>",
    "</html>",
  ];
  return `${lines.join("\n")}\n`;
}

/** Empties the tables of one area in every language: the bundler can't know which keys a page uses. */
function withoutMessages(area: string): Plugin {
  return {
    name: `without ${area} messages`,
    setup: (bundler) => {
      const filter = new RegExp(`[\\\\/]messages[\\\\/]\\w+[\\\\/]${area}(-\\w+)*\\.ts$`);
      bundler.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const tables = [...source.matchAll(/^export const (\w+)/gm)];
        return { contents: tables.map(([, name]) => `export const ${name} = {};`).join("\n") };
      });
    },
  };
}

/** Refusals of calls that only importers make. */
const IMPORTERS_REFUSALS: readonly RefusalCode[] = [
  "IMPORTER_UNKNOWN",
  "IMPORTER_TOO_OLD",
  "REGISTRATION_KEY_WRONG",
  "REGISTRATION_KEY_ENDED",
  "REGISTRATION_KEY_USED_UP",
  "REGISTRATION_KEY_REMOVED",
  "NETWORK_REGISTRATIONS_TOO_MANY",
  "REGISTRATIONS_TOO_MANY",
  "REGISTRATIONS_OFF",
  "DEVICE_NAME_WRONG",
  "PAIRING_UNKNOWN",
  "PAIRING_ANSWER_WRONG",
  "PAIRING_REQUEST_OVER",
  "PACKAGE_NOT_COMMITTED",
  "RUN_ELSEWHERE",
  "RUN_ID_WRONG",
  "RANGE_WRONG",
  "RESULTS_WRONG",
  "SOUND_UNKNOWN",
  "SOUND_LOST",
];

/** Refusals of requests that the page's client never makes: if a bug does, the page shows the relay's English sentence. */
const MALFORMED_REFUSALS: readonly RefusalCode[] = [
  "REQUEST_MALFORMED",
  "NOT_JSON",
  "JSON_IN_FORM",
  "JSON_ENCODED",
  "JSON_TOO_COMPLEX",
  "PATH_UNKNOWN",
  "METHOD_WRONG",
  "CLAIM_INCOMPLETE",
  "APP_ID_TOO_LONG",
  "SCHEMA_NEWER",
  "SCHEMA_UNKNOWN",
  "MANIFEST_NOT_OBJECT",
  "ITEMS_MISSING",
  "ITEM_NOT_OBJECT",
  "FILE_NAME_MISSING",
  "FILE_NAME_WRONG",
  "FILE_TWICE",
  "BYTES_WRONG",
  "SHA256_WRONG",
  "IDEMPOTENCY_KEY_WRONG",
  "IDEMPOTENCY_KEY_REUSED",
  "TOKEN_MISSING",
  "HEADERS_TOO_LARGE",
  "BODY_TOO_LARGE",
  "FILE_IN_FORM",
  "FILE_ENCODED",
  "UPLOAD_VERSION_UNKNOWN",
  "UPLOAD_HEADERS_WRONG",
  "UPLOAD_TYPE_WRONG",
  "STATUS_WRONG",
  "CURSOR_WRONG",
];

/** Texts that the relay's page never shows, beside those of whole tables. */
export const UNUSED_TEXTS = [
  "clips.volume",
  "clips.position",
  "clips.bar",
  "playback.tooLongToStretch",
  "playback.approximation",
  "playback.repitched",
  "playback.tooLarge",
  "playback.tooShort",
  "format.host-live",
  "format.host-folder",
  "format.host-preview",
  "format.host-dawproject",
  "format.host-dawproject-arrangement",
  "format.host-live-set",
  // What only a golden has.
  "format.setting-audio",
  "format.setting-encoding",
  "format.setting-bits",
  "format.setting-channels",
  "format.setting-sample_rate_hz",
  "format.setting-length",
  "format.setting-order",
  "format.setting-presence",
  "send.label",
  "send.drop",
  "send.more",
  "send.paused",
  "send.bpm",
] as const satisfies readonly MessageKey[];

/** Removes texts from the tables of all languages. English refusals stay: the page knows a refusal by its sentence. */
const withoutTexts: Plugin = {
  name: "without texts that the page never shows",
  setup: (bundler) => {
    const refusals = [...IMPORTERS_REFUSALS, ...MALFORMED_REFUSALS].map(
      (code) => `refusal.${code}`,
    );
    const keys = [...refusals, ...UNUSED_TEXTS].join("|").replaceAll(".", String.raw`\.`);
    const entry = new RegExp(
      String.raw`^  "(?:${keys})":\s*(?:"(?:[^"\\]|\\.)*"|\x60[^\x60]*\x60),\n`,
      "gm",
    );
    const filter = /[\\/]messages[\\/]\w+[\\/](?:refusals|clips|formats|live-set|page)\.ts$/;
    bundler.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace(entry, ""), loader: "ts" };
    });
  },
};

if (import.meta.main) {
  for (const name of ["panel", "page", "preview"] as const) {
    printSize(`dist/${name}.html`, await builderOf(name)());
  }
}
