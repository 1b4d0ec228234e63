import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { buildRelayPage } from "../../../scripts/build-pages.ts";
import { buildWebApp } from "../../../scripts/build-web-app.ts";
import { VERSION } from "../../../core/version.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { servePage } from "../../serve-page.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import {
  computerAt,
  PAGES,
  pairOnPage,
  relayWithPage,
  rowNames,
  sendOnPage,
} from "./page-at-work.ts";
import { openOn, phone, tlsInFrontOf, untilServed } from "./phone-relay.ts";
import { chosen } from "./test-sounds.ts";

const HTTPS = { SOUNDFERRY_BASE_URL: "https://localhost" };

/** A relay with https, and a phone that has opened its page and may have installed it. */
async function installed() {
  const relay = await relayWithPage(HTTPS);
  const front = await tlsInFrontOf(relay);
  const context = await phone();
  const page = await openOn(context, front.url);
  await untilServed(page);
  return { relay, front, context, page };
}

/** The paths that the browser keeps, by cache. */
function keptPaths(page: Page): Promise<Readonly<Record<string, readonly string[]>>> {
  return page.evaluate(`(async () => {
    const kept = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      kept[name] = requests.map(({ url }) => url.slice(location.origin.length));
    }
    return kept;
  })()`);
}

const PAGE_FILES = ["/", `/client-${VERSION}/listening-worker.js`];

/** Lists what the browser says against installing the page. */
async function installErrors(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const { errors } = await devtools.send("Page.getAppManifest");
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  return [...errors, ...installabilityErrors];
}

/** Shares files as a system does: another app posts them to the target. */
async function share(context: BrowserContext, url: string, ...names: readonly string[]) {
  const form = `<form method="post" enctype="multipart/form-data" action="${url}/share">
    <input type="file" name="files" multiple></form>`;
  const page = await openOn(context, await servePage(form));
  await page
    .locator("input")
    .setInputFiles(names.map((name) => chosen(name, smallWav({ frames: 4410 }))));
  await page.evaluate("document.forms[0].submit()");
  return page;
}

describeInBrowser("the page as an app (needs Chromium)", () => {
  test("[G21] a browser finds nothing against installing it, and its icons load", async () => {
    const { page } = await installed();
    expect(await installErrors(page)).toEqual([]);
    const sizes = await page.evaluate(`Promise.all(
      [...document.querySelectorAll("link[rel$=icon]")].map(async ({ href }) => {
        const picture = new Image();
        picture.src = href;
        await picture.decode();
        return picture.naturalWidth > 0;
      }))`);
    expect(sizes).toEqual([true, true]);
  });

  test("[G22] the worker keeps the page's own files, and no answer of the API", async () => {
    const { relay, page } = await installed();
    const { importer, code } = await computerAt(relay.url);
    await page.reload();
    await pairOnPage(page, await code());
    await page.getByLabel("Sound files").setInputFiles([chosen("Kick.wav", smallWav())]);
    await sendOnPage(page);
    await importer.importAll();
    await page.locator(".sent-bar").getByText("1 sound imported", { exact: true }).waitFor();
    await page.evaluate("fetch('/healthz').then((answer) => answer.text())");
    const kept = Object.values(await keptPaths(page));
    expect(kept.map((paths) => paths.toSorted())).toEqual([PAGE_FILES]);
  });

  test("[G22] it opens while the relay is away, and sends once it is back", async () => {
    const { relay, front, page } = await installed();
    const { code } = await computerAt(relay.url);
    await pairOnPage(page, await code());
    front.leadTo(null);
    await page.reload();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    await page.getByLabel("Sound files").setInputFiles([chosen("Kick.wav", smallWav())]);
    await soon(() => rowNames(page)).toEqual(["Kick"]);
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByRole("status").filter({ hasText: "Retrying in" }).waitFor();
    front.leadTo(relay);
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
  });

  test("[G22] another version replaces what was kept", async () => {
    const { front, page } = await installed();
    const [before = ""] = Object.keys(await keptPaths(page));
    const next = await RunningRelay.start(HTTPS, { pages: await pagesOfNextVersion() });
    onTestFinished(() => next[Symbol.asyncDispose]());
    front.leadTo(next);
    await page.reload();
    expect(await page.title()).toBe("The next version");
    await soon(async () => Object.keys(await keptPaths(page))).not.toContain(before);
    front.leadTo(null);
    await page.reload();
    expect(await page.title()).toBe("The next version");
  });

  test("[G22] the worker goes away where another program has the address", async () => {
    const { front, page } = await installed();
    const port = new URL(await servePage("<title>Another program</title>")).port;
    // The front only needs the address.
    front.leadTo({ url: `http://127.0.0.1:${port}` } as RunningRelay);
    await page.reload();
    expect(await page.title()).toBe("Another program");
    const workers = "navigator.serviceWorker.getRegistrations().then(({ length }) => length)";
    await soon(() => page.evaluate<number>(workers)).toBe(0);
  });

  test("[G22] on http in a network there is no worker", async () => {
    const relay = await relayWithPage({ SOUNDFERRY_ALLOWED_HOSTS: "relay.example" });
    const page = await openOn(await phone(), relay.url.replace("127.0.0.1", "relay.example"));
    await page.getByRole("heading", { name: "Soundferry" }).waitFor();
    expect(await page.evaluate("[isSecureContext, 'serviceWorker' in navigator]")).toEqual([
      false,
      false,
    ]);
  });

  test("[G23] what is shared while the page is closed is in the new package, once, and stays", async () => {
    const { front, context, page } = await installed();
    await page.close();
    const shared = await share(context, front.url, "Kick.wav", "Snare.wav");
    await soon(() => rowNames(shared)).toEqual(["Kick", "Snare"]);
    expect(shared.url()).toBe(`${front.url}/`);
    await soon(() => shared.evaluate<number>(SHARED_LEFT)).toBe(0);
    await shared.reload();
    await soon(() => rowNames(shared)).toEqual(["Kick", "Snare"]);
  });

  test("[G23] what is shared while the relay is away isn't lost", async () => {
    const { front, context, page } = await installed();
    await page.close();
    front.leadTo(null);
    const shared = await share(context, front.url, "Kick.wav");
    await soon(() => rowNames(shared)).toEqual(["Kick"]);
  });

  test("[G23] without the worker the page says that what was shared got lost", async () => {
    const relay = await relayWithPage(HTTPS);
    const front = await tlsInFrontOf(relay);
    const context = await phone({ serviceWorkers: "block" });
    const shared = await share(context, front.url, "Kick.wav");
    await shared.getByRole("status").filter({ hasText: "What was shared got lost." }).waitFor();
    expect(shared.url()).toBe(`${front.url}/`);
  });
});

/** Counts what no page has taken yet. */
const SHARED_LEFT = `new Promise((resolve) => {
  const request = indexedDB.open("soundferry-shared");
  request.onsuccess = () => {
    const all = request.result.transaction("shared").objectStore("shared").getAll();
    all.onsuccess = () => resolve(all.result.length);
  };
})`;

async function pagesOfNextVersion() {
  const html = (await buildRelayPage()).replace(
    "<title>Soundferry: send sounds</title>",
    "<title>The next version</title>",
  );
  const webApp = new Map(await buildWebApp());
  const worker = webApp.get("app-worker.js") ?? "";
  webApp.set("app-worker.js", worker.replace(/"[\da-f]{16}"/, '"0123456789abcdef"'));
  return { ...PAGES, home: async () => html, webApp: async () => webApp };
}
