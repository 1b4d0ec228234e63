import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildClientFiles } from "../../../scripts/build-client.ts";
import { sharedChromium } from "../../pages/shared-chromium.ts";

export { describeInBrowser } from "../../pages/shared-chromium.ts";

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
  const files = new Map<string, string>();
  const server = createServer(({ url = "/" }, response) => {
    const script = files.get(url.slice(1));
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? html);
  });
  beforeAll(async () => {
    for (const [path, text] of await buildClientFiles()) {
      files.set(path, text).set(path.replace(/^(\w+)\.js$/, `$1-${VERSION}.js`), text);
    }
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }, 60_000);
  afterAll(() => void server.close());
  return {
    open: async (text, hash = "") => {
      html = text;
      const context = await (await sharedChromium()).newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const failures: string[] = [];
      page.on("pageerror", ({ message }) => failures.push(message));
      onTestFinished(() => expect(failures).toEqual([]));
      // A listening TCP server always has an address of this kind.
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/${hash}`);
      await page.locator("soundferry-send [part=box]").waitFor();
      await page.evaluate(LISTEN);
      return page;
    },
  };
}

/** Notes the element's events, so that a test can ask for them. */
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
