import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  buildPanelPage,
  buildPreviewPage,
  buildReceivePage,
  buildRelayPage,
  bundlePage,
} from "../../scripts/build-pages.ts";
import { withAppLinks } from "../../relay/http/app-links.ts";
import { UNUSED_TEXTS } from "../../scripts/pages/unused-texts.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { PAGES, relayWithPage } from "./send/page-at-work.ts";
import { once } from "node:events";
import { connect } from "node:net";

/** Each page: its builder, the size limit of its compressed text, and how many scripts it has. */
const BUILDS = {
  panel: { build: buildPanelPage, maxBytes: 152_000, scripts: 2 },
  page: { build: buildRelayPage, maxBytes: 140_000, scripts: 1 },
  receive: { build: buildReceivePage, maxBytes: 200_000, scripts: 1 },
  preview: { build: buildPreviewPage, maxBytes: 80_000, scripts: 1 },
} as const;

async function expectOneFile(name: keyof typeof BUILDS): Promise<string> {
  const { build, maxBytes, scripts } = BUILDS[name];
  const page = await build();
  expect(page.match(/<\/script/gi)).toHaveLength(scripts);
  const loads = [...page.matchAll(/<[a-z]+\b[^<>]*\b(?:src|href)=["']?([^"'\s>]*)/gi)];
  expect(loads.map(([, address]) => address)).toEqual(["data:,"]);
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
  expect(style).toContain("prefers-color-scheme");
  expect(style).not.toMatch(/@import|url\(/);
  expect(gzipSync(page).length).toBeLessThan(maxBytes);
  const { text, inputs } = await bundlePage(name);
  expect(text === page).toBe(true);
  expect(inputs.filter((input) => /^(addon|cli|relay)\//.test(input))).toEqual([]);
  return page;
}

test("the panel's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await expectOneFile("panel");
  const start = /<script type="application\/json" id="start">([^<]*)<\/script>/.exec(page);
  expect(JSON.parse(start?.[1] ?? "")).toBeNull();
  expect(page).not.toMatch(/"(?:page|receive)\.[\w-]+"/);
});

test("[RC20] the page at /receive is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await expectOneFile("receive");
  expect(page).not.toMatch(/"page\.[\w-]+"/);
});

test("[G1] the relay's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  const page = await expectOneFile("page");
  expect(page).not.toMatch(/"panel\.[\w-]+"/);
  expect(UNUSED_TEXTS.filter((key) => page.includes(`"${key}"`))).toEqual([]);
  expect(page).not.toMatch(/`(?:format\.host-|playback\.)\$/);
});

test("[V1] the preview's page is one file that loads nothing else, is small, and has the same bytes each time", async () => {
  await expectOneFile("preview");
});

test("a page is cached, and built again when the cache is stale", async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, "panel.html");
  const pages = await Promise.all([buildPanelPage(folder), buildPanelPage(folder)]);
  expect(pages[0] === pages[1]).toBe(true);
  expect(await readdir(folder)).toEqual(["panel.html", "panel.stamp.json"]);
  const { mtimeMs } = await stat(kept);
  await buildPanelPage(folder);
  expect((await stat(kept)).mtimeMs).toBe(mtimeMs);
  await writeFile(kept, "half a p");
  expect((await buildPanelPage(folder)) === pages[0]).toBe(true);
  expect((await readFile(kept, "utf8")) === pages[0]).toBe(true);
});

test("[G1] the page is served with a policy that lets it call its own relay only", async () => {
  const relay = await relayWithPage();
  const { status, headers, text } = await relay.call("GET", "/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text === withAppLinks(await PAGES.home())).toBe(true);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
});

test("[G1] the client can be imported by pages of any origin", async () => {
  const relay = await relayWithPage();
  const { status, headers, text } = await relay.call("GET", "/client.js");
  expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(text).toContain("SoundferryClient");
});

test.each(["/", "/client.js"])("[G1] %s is sent again only when it has changed", async (path) => {
  const relay = await relayWithPage();
  const { headers } = await relay.call("GET", path);
  const etag = headers.get("etag") ?? "";
  expect(headers.get("cache-control")).toBe("no-cache");
  const again = await relay.call("GET", path, { headers: { "if-none-match": `"old", ${etag}` } });
  expect([again.status, again.text]).toEqual([304, ""]);
  expect((await relay.call("HEAD", path)).status).toBe(200);
  const wrong = await relay.call("POST", path);
  expect([wrong.status, wrong.json.code, wrong.headers.get("allow")]).toEqual([
    405,
    "METHOD_WRONG",
    "GET, HEAD",
  ]);
});

test("[G1] both are compressed for clients that accept it, and plain for others", async () => {
  const relay = await relayWithPage();
  for (const [path, make] of [
    ["/", async () => withAppLinks(await PAGES.home())],
    ["/client.js", async () => (await PAGES.clientFiles()).get("client.js")],
  ] as const) {
    const text = await make();
    for (const [accepted, used] of [
      ["gzip, br", "br"],
      ["br;q=0, gzip;q=0.5", "gzip"],
    ] as const) {
      const packed = await fetch(relay.url + path, { headers: { "accept-encoding": accepted } });
      expect(packed.headers.get("content-encoding")).toBe(used);
      expect((await packed.text()) === text).toBe(true);
    }
    const plain = await fetch(relay.url + path, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect((await plain.text()) === text).toBe(true);
  }
});

test("[G1] a relay without pages serves none", async () => {
  await using relay = await RunningRelay.start();
  expect((await relay.call("GET", "/")).json).toMatchObject({ code: "PATH_UNKNOWN" });
});

// A stopping relay gives running calls ten seconds; this test must not need them.
test("[G1] connections that a browser preopened don't delay a stopping relay", async () => {
  const relay = await relayWithPage();
  const ahead = connect(Number(new URL(relay.url).port), "127.0.0.1");
  ahead.on("error", () => {});
  await once(ahead, "connect");
  // Another call makes sure that the relay has seen the connection.
  expect((await relay.call("GET", "/")).status).toBe(200);
  await Promise.all([relay.stop(), once(ahead, "close")]);
}, 8000);
