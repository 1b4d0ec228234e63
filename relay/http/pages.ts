import type { FastifyInstance } from "fastify";
import { type RelayOperator, withOperator } from "../../core/messages/operator-strip.ts";
import { contentPolicyFor, STRETCH_PATH } from "../../core/protocol/content-policy.ts";
import {
  addReadOnly,
  digestOf,
  onceMade,
  prepareText,
  sendText,
  type ServedText,
} from "./served-text.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { VERSION } from "../../core/version.ts";
import { type WebAppFiles, withAppLinks } from "./app-links.ts";

/** The relay's pages. Each is loaded once, on the first visit. */
export interface RelayPages {
  /** The page at `/`, as HTML. */
  readonly home: () => Promise<string>;
  /** The scripts that pages of other origins import, such as `client.js`. */
  readonly clientFiles?: () => Promise<ClientFiles>;
  /** The files that make the page at `/` an app. */
  readonly webApp?: () => Promise<WebAppFiles>;
  /** The page at `/receive`; none by default. */
  readonly receive?: ReceivePage;
}

/** The page at `/receive` and its script. */
export interface ReceivePage {
  /** The page, as HTML. */
  readonly page: () => Promise<string>;
  /** The script of its Worker. */
  readonly worker: () => Promise<string>;
}

/** Serves the page and the client to everyone (rule G1). */
export function addPages(
  app: FastifyInstance,
  { home, clientFiles, webApp, receive }: RelayPages,
  operator: RelayOperator,
): void {
  const isApp = webApp !== undefined;
  const page = onceMade(async () => {
    const html = withOperator(isApp ? withAppLinks(await home()) : await home(), operator);
    return prepareText(html, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentPolicyFor(html, (text) => digestOf(text, "base64"), {
        hasWorkers: true,
        isApp,
      }),
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    });
  });
  addReadOnly(app, "/", async (request, reply) => sendText(request, reply, await page()));
  addClientFiles(app, clientFiles ?? (async () => new Map()));
  if (receive !== undefined) addReceivePage(app, receive, operator);
}

/** Serves the page that makes a browser a computer (rule RC20). What it needs is loaded on the first visit. */
function addReceivePage(app: FastifyInstance, page: ReceivePage, operator: RelayOperator): void {
  const load = onceMade(async () =>
    (await import("./receive-page.ts")).serveReceive(page, operator),
  );
  for (const path of ["/receive", `/receive-${VERSION}/*`, STRETCH_PATH]) {
    addReadOnly(app, path, async (request, reply) => (await load())(request, reply));
  }
}

/**
 * The scripts for pages of other origins, by path without the leading slash: `client.js` and what it loads on demand
 * from `client-<version>/`, `element.js`, `audio.js`, and the types of each in `<name>-<version>.d.ts`.
 */
type ClientFiles = ReadonlyMap<string, string>;

const ENTRIES = ["client", "element", "audio"];
/** The caching of files with the version in their name, which never change: a year. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the client's files (rule G16). `/client.js` is the relay's own version and is revalidated with each visit;
 * `/client-<version>.js` has the same bytes and is kept.
 */
function addClientFiles(app: FastifyInstance, load: () => Promise<ClientFiles>): void {
  const files = onceMade(load);
  const served = new Map<string, Promise<ServedText>>();
  const add = (url: string, cacheControl: string) =>
    addReadOnly(app, url, async (request, reply) => {
      const [path = ""] = request.url.slice(1).split("?", 1);
      const text = textAt(await files(), path);
      if (text === undefined) throw refusal("PATH_UNKNOWN");
      const prepared = served.get(path) ?? prepareText(text, headersOf(path, cacheControl));
      served.set(path, prepared);
      return sendText(request, reply, await prepared);
    });
  for (const entry of ENTRIES) {
    add(`/${entry}.js`, "no-cache");
    for (const name of [`${entry}-${VERSION}.js`, `${entry}-${VERSION}.d.ts`]) {
      add(`/${name}`, IMMUTABLE);
    }
    add(`/${entry}-${VERSION}/*`, IMMUTABLE);
  }
}

function textAt(files: ClientFiles, path: string): string | undefined {
  const asNewest = path.endsWith(`-${VERSION}.js`) ? path.replace(`-${VERSION}`, "") : path;
  return files.get(path) ?? files.get(asNewest);
}

function headersOf(path: string, cacheControl: string): Record<string, string> {
  const [, entry] = /^([a-z]+)(?:-[^/]+)?\.js$/.exec(path) ?? [];
  return {
    "content-type": path.endsWith(".ts")
      ? "application/typescript; charset=utf-8"
      : "text/javascript; charset=utf-8",
    "cache-control": cacheControl,
    // Pages of any origin import it.
    "cross-origin-resource-policy": "cross-origin",
    // Read by tools that fetch a script's types along with it.
    ...(entry !== undefined && { "x-typescript-types": `./${entry}-${VERSION}.d.ts` }),
  };
}
