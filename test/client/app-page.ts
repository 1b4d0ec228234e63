import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished, expect } from "vitest";
import { buildClientFiles } from "../../scripts/build-client.ts";
import { sharedChromium } from "../pages/shared-chromium.ts";
import { type StandInAnswer, startStandIn } from "./stand-in-relay.ts";
import { VERSION } from "../../core/version.ts";

export { describeInBrowser } from "../pages/shared-chromium.ts";

const HTML = `<!doctype html><title>App</title><input type="file">
<script type="module">
import * as soundferry from "/client.js";
Object.assign(globalThis, { soundferry });
</script>`;

/**
 * Serves the built client's files to the tests of a file.
 * @param pageOf the page at any other path
 * @param alias renames a file, so that it is served under a second path
 */
export function serveClient(
  pageOf: () => string,
  alias: (path: string) => string = (path) => path,
) {
  const files = new Map<string, string>();
  const answer = (path: string) => {
    const script = files.get(path.slice(1));
    return script === undefined
      ? { contentType: "text/html", body: pageOf() }
      : { contentType: "text/javascript", body: script };
  };
  const server = createServer(({ url = "/" }, response) => {
    const { contentType, body } = answer(url);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Content-Type", contentType);
    response.end(body);
  });
  beforeAll(async () => {
    for (const [path, text] of await buildClientFiles()) {
      files.set(path, text).set(alias(path), text);
    }
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }, 60_000);
  afterAll(() => void server.close());
  return {
    answer,
    urlAt: (host: string): string => {
      // A listening TCP server always has an address of this kind.
      const { port } = server.address() as AddressInfo;
      return `http://${host}:${port}/`;
    },
  };
}

/** Opens a new page, which is closed with its test. */
export async function newPage(): Promise<Page> {
  const context = await (await sharedChromium()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return page;
}

/**
 * Pages of an app that loaded the built client. They are served over plain http from a name that the browser
 * treats as remote, so that they lack what only secure contexts have, unless a test names `127.0.0.1`.
 */
export function useAppPages(): {
  readonly open: (host?: string) => Promise<Page>;
  /** Opens the same page over https. */
  readonly openSecure: () => Promise<Page>;
} {
  const { answer, urlAt } = serveClient(() => HTML);
  const openAt = async (url: string): Promise<Page> => {
    const page = await newPage();
    await page.context().route("https://app.example/**", async (route) => {
      await route.fulfill(answer(new URL(route.request().url()).pathname));
    });
    await page.goto(url);
    await page.waitForFunction("globalThis.soundferry !== undefined");
    return page;
  };
  return {
    open: async (host = "app.example") => openAt(urlAt(host)),
    openSecure: async () => openAt("https://app.example/"),
  };
}

/** The headers by which a relay lets pages of other origins call it. */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Allow-Methods": "*",
  "Access-Control-Expose-Headers": `Retry-After, ${RELAY_MARK.name}`,
};

/** Formats bytes as code for a page. */
export function bytesCode(bytes: Uint8Array): string {
  return `new Uint8Array(${JSON.stringify([...bytes])})`;
}

/** Formats a client that is paired with a stand-in as code for a page. */
export function clientCode(port: number): string {
  return `new soundferry.SoundferryClient({
    relayUrl: "http://relay.example:${port}",
    tokenStore: new soundferry.MemoryTokenStore("sfa_x"),
  })`;
}

/** Starts a relay for pages of other origins that answers each call except preflights with `answer`. */
export async function startOpenStandIn(answer: () => StandInAnswer | Promise<StandInAnswer>) {
  const relay = await startStandIn(async ({ method }) => {
    if (method === "OPTIONS") return { status: 204, body: "", headers: CORS };
    const given = await answer();
    if (given === "hang up") return given;
    return { ...given, headers: { ...CORS, ...given.headers } };
  });
  return { ...relay, port: Number(new URL(relay.url).port) };
}

/** A page like the one that docs/start/first-sound.md shows. */
export function tenLines(relayUrl: string, attributes = ""): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>My sounds</title>
    <script type="module" src="/element.js"></script>
  </head>
  <body>
    <soundferry-send relay="${relayUrl}" app="Looper" ${attributes}></soundferry-send>
  </body>
</html>`;
}

/** Pages of an app on an origin of its own, which also serves the element's files. */
export function useElementPages(): {
  readonly open: (html: string, hash?: string) => Promise<Page>;
} {
  let html = "";
  const { urlAt } = serveClient(
    () => html,
    (path) => path.replace(/^(\w+)\.js$/, `$1-${VERSION}.js`),
  );
  return {
    open: async (text, hash = "") => {
      html = text;
      const page = await newPage();
      const failures: string[] = [];
      page.on("pageerror", ({ message }) => failures.push(message));
      onTestFinished(() => expect(failures).toEqual([]));
      await page.goto(urlAt("127.0.0.1") + hash);
      await page.locator("soundferry-send [part=box]").waitFor();
      await page.evaluate(LISTEN);
      return page;
    },
  };
}

/** Records the element's events, so that a test can ask for them. */
const LISTEN = `(() => {
  globalThis.element = document.querySelector("soundferry-send");
  globalThis.events = [];
  for (const name of ["paired", "sent", "result", "error"]) {
    element.addEventListener(name, ({ detail }) => {
      events.push([name, name === "error" ? String(detail.error.code) : detail]);
    });
  }
})()`;

/** Types the code and waits until the computer is there. */
export async function pairElement(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: "Pairing code" }).fill(code);
  await page.getByRole("button", { name: "Pair", exact: true }).click();
  await page.getByRole("button", { name: /^To / }).waitFor();
}
