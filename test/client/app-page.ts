import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { bundleClientFiles } from "../../scripts/client/bundle-client.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";

const executablePath = findChromium();

export const describeInBrowser = describe.skipIf(executablePath === undefined);

const HTML = `<!doctype html><title>App</title><input type="file">
<script type="module">
import * as soundferry from "/client.js";
Object.assign(globalThis, { soundferry });
</script>`;

/**
 * Pages of an app that loaded the built client. They are served over plain http from a name that the browser
 * treats as remote, so that they lack what only secure contexts have, unless a test names `127.0.0.1`.
 */
export function useAppPages(): {
  readonly open: (host?: string) => Promise<Page>;
  /** The same page over https. */
  readonly openSecure: () => Promise<Page>;
} {
  let browser: Browser | undefined;
  let files: ReadonlyMap<string, string> = new Map();
  const server = createServer(({ url = "" }, response) => {
    const script = files.get(url.slice(1));
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? HTML);
  });
  beforeAll(async () => {
    if (executablePath === undefined) return;
    files = await bundleClientFiles();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const args = [...CHROMIUM_ARGUMENTS, "--host-resolver-rules=MAP *.example 127.0.0.1"];
    browser = await chromium.launch({ executablePath, args });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server.close();
  });
  const openAt = async (url: string): Promise<Page> => {
    if (browser === undefined) throw new Error("There is no browser.");
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    await context.route("https://app.example/**", async (route) => {
      const body = files.get(new URL(route.request().url()).pathname.slice(1));
      const contentType = body === undefined ? "text/html" : "text/javascript";
      await route.fulfill({ body: body ?? HTML, contentType });
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(url);
    await page.waitForFunction("globalThis.soundferry !== undefined");
    return page;
  };
  return {
    open: async (host = "app.example") => {
      // A listening TCP server always has an address of this kind.
      const { port } = server.address() as AddressInfo;
      return openAt(`http://${host}:${port}/`);
    },
    openSecure: async () => openAt("https://app.example/"),
  };
}
