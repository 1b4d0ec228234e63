import { Buffer } from "node:buffer";
import { once } from "node:events";
import { get as getPlain } from "node:http";
import { get as getEncrypted } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { crc32, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { judgeRequest } from "../../../pages/send/app/judge-request.ts";
import { buildWebApp } from "../../../scripts/build-web-app.ts";
import { ROUTES } from "../../../relay/http/routes.ts";
import { RunningRelay } from "../running-relay.ts";

const home = async () => '<!doctype html><link rel="icon" href="data:," /><title>Relay</title>';
const PAGES = { home, webApp: () => buildWebApp() };
const TLS = join(import.meta.dirname, "..", "tls");

const relayWith = (settings: Record<string, string> = {}) =>
  RunningRelay.start(settings, { pages: PAGES });

test("[G21] the page names its manifest and its icons, and its policy lets them load", async () => {
  await using relay = await relayWith();
  const { text: page, headers } = await relay.call("GET", "/");
  expect(page).toContain('<link rel="manifest" href="app.webmanifest" />');
  expect(page).toContain('<link rel="apple-touch-icon" href="app-icon-apple-180.png" />');
  const policy = headers.get("content-security-policy") ?? "";
  for (const part of ["manifest-src 'self'", "worker-src 'self'", "img-src 'self' data:"]) {
    expect(policy).toContain(part);
  }
});

test("[G21] a relay that isn't given the app serves none of it, and its page names nothing", async () => {
  await using relay = await RunningRelay.start({}, { pages: { home } });
  const { text: page, headers } = await relay.call("GET", "/");
  expect(page).toBe(await home());
  expect(headers.get("content-security-policy")).not.toContain("manifest-src");
  for (const path of ["/app.webmanifest", "/app-worker.js", "/app-icon-192.png"]) {
    expect((await relay.call("GET", path)).json).toMatchObject({ code: "PATH_UNKNOWN" });
  }
});

test("[G21] the manifest has what browsers ask for, and each of its icons is there in its size", async () => {
  await using relay = await relayWith();
  const { status, headers, json } = await relay.call("GET", "/app.webmanifest");
  expect([status, headers.get("content-type")]).toEqual([200, "application/manifest+json"]);
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(json).toMatchObject({ name: "Soundferry", start_url: ".", display: "standalone" });
  expect(json.icons).toMatchObject([
    { sizes: "any", type: "image/svg+xml" },
    { sizes: "192x192", type: "image/png" },
    { sizes: "512x512", type: "image/png" },
    { sizes: "512x512", type: "image/png", purpose: "maskable" },
  ]);
  for (const { src, sizes, type } of json.icons) {
    const answer = await fetch(`${relay.url}/${src}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    if (type === "image/png") expect(sizeOfPng(bytes)).toBe(sizes);
    expect(bytes.length).toBeLessThan(12_000);
  }
  const apple = await fetch(`${relay.url}/app-icon-apple-180.png`);
  expect(sizeOfPng(Buffer.from(await apple.arrayBuffer()))).toBe("180x180");
});

/** Returns the size that a whole and undamaged PNG has. */
function sizeOfPng(bytes: Buffer): string {
  let at = 8;
  const parts = new Map<string, Buffer>();
  while (at < bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    expect(crc32(bytes.subarray(at + 4, end))).toBe(bytes.readUInt32BE(end));
    parts.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  const head = parts.get("IHDR") ?? Buffer.alloc(8);
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const rows = inflateSync(parts.get("IDAT") ?? Buffer.alloc(0));
  expect(rows.length).toBe(height * (4 * width + 1));
  return `${width}x${height}`;
}

test("[G22] the service worker is a script that may only call its relay, and is revalidated", async () => {
  await using relay = await relayWith();
  const { headers, text: script } = await relay.call("GET", "/app-worker.js");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(script.length).toBeLessThan(6000);
});

const SCOPE = "https://relay.example/folder/";

test("[G22] the service worker leaves every call of the API to the network, whatever asks", () => {
  for (const { method, path } of ROUTES) {
    for (const isNavigation of [true, false]) {
      const url = `${SCOPE}${path.slice(1)}`;
      expect(judgeRequest({ method, url, isNavigation }, SCOPE, VERSION), url).toBeNull();
    }
  }
});

test.each([
  ["", true, "page"],
  ["?a=1", true, "page"],
  ["#code=K7MQ2X", true, "page"],
  ["", false, null],
  ["receive", true, null],
  [`client-${VERSION}/listening-worker.js`, false, "file"],
  [`client-${VERSION}/listening-worker.js?a=1`, false, null],
  ["client-0.0.1/listening-worker.js", false, null],
  ["client.js", false, null],
  ["share", true, null],
])("[G22] of GET %j (a navigation: %j) the service worker takes %j", (path, isNavigation, what) => {
  const request = { method: "GET", url: SCOPE + path, isNavigation };
  expect(judgeRequest(request, SCOPE, VERSION)).toBe(what);
  const elsewhere = { ...request, url: `https://relay.example/${path}` };
  expect(judgeRequest(elsewhere, SCOPE, VERSION)).toBeNull();
});

test("[G23] the service worker takes what is shared", () => {
  const shared = { method: "POST", url: `${SCOPE}share`, isNavigation: true };
  expect(judgeRequest(shared, SCOPE, VERSION)).toBe("share");
  expect(judgeRequest({ ...shared, isNavigation: false }, SCOPE, VERSION)).toBeNull();
});

/** Asks whether the manifest of a relay has a share target. */
async function takesShares(relay: RunningRelay, headers = {}): Promise<boolean> {
  const url = new URL("/app.webmanifest", relay.url);
  const get = url.protocol === "https:" ? getEncrypted : getPlain;
  const request = get(url, { headers, agent: false, rejectUnauthorized: false });
  const [answer] = await once(request, "response");
  const json = JSON.parse(await text(answer));
  if (json.share_target === undefined) return false;
  expect(json.share_target).toEqual({
    action: "share",
    method: "POST",
    enctype: "multipart/form-data",
    params: { files: [{ name: "files", accept: ["audio/*", "video/*"] }] },
  });
  return true;
}

const FORWARDED = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };

test("[G23] only an https relay takes what is shared: its own, by its address, or behind a trusted proxy", async () => {
  await using plain = await relayWith();
  expect(await takesShares(plain)).toBe(false);
  expect(await takesShares(plain, FORWARDED)).toBe(false);
  await using named = await relayWith({ SOUNDFERRY_BASE_URL: "https://relay.example.com" });
  expect(await takesShares(named)).toBe(true);
  await using proxied = await relayWith({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
  expect(await takesShares(proxied)).toBe(false);
  expect(await takesShares(proxied, FORWARDED)).toBe(true);
  const [SOUNDFERRY_TLS_CERT, SOUNDFERRY_TLS_KEY] = [join(TLS, "cert.pem"), join(TLS, "key.pem")];
  await using own = await relayWith({ SOUNDFERRY_TLS_CERT, SOUNDFERRY_TLS_KEY });
  expect(await takesShares(own)).toBe(true);
});

test("[G23] what is shared without the service worker is answered at once, unread, and leads to the page", async () => {
  await using relay = await relayWith();
  const { port, host } = new URL(relay.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`POST /share HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000000\r\n\r\n--a`);
  const [answer] = await once(socket, "data");
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 303 .*^location: \.\/\?share=again\r$/ims);
  expect(String(answer)).toMatch(/Soundferry was not ready for this\./);
  const other = await relay.call("GET", "/share");
  expect(other.json).toMatchObject({ code: "PATH_UNKNOWN" });
});
