import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { buildClientFiles } from "../../scripts/build-client.ts";
import { sharedChromium } from "../pages/shared-chromium.ts";

export { describeInBrowser } from "../pages/shared-chromium.ts";

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
  let files: ReadonlyMap<string, string> = new Map();
  const server = createServer(({ url = "" }, response) => {
    const script = files.get(url.slice(1));
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? HTML);
  });
  beforeAll(async () => {
    files = await buildClientFiles();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }, 60_000);
  afterAll(() => void server.close());
  const openAt = async (url: string): Promise<Page> => {
    const context = await (await sharedChromium()).newContext();
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
