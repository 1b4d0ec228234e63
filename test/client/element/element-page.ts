import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { newPage, serveClient } from "../app-page.ts";

export { describeInBrowser } from "../app-page.ts";

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
