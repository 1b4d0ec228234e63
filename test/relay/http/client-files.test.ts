import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { RunningRelay } from "../running-relay.ts";

const home = async () => "<!doctype html><title>Relay</title>";

const FILES = new Map([
  ["client.js", "export const client = 1;"],
  [`client-${VERSION}.d.ts`, "export declare const client: number;"],
  [`client-${VERSION}/hash.js`, "export const hash = 2;"],
  ["element.js", "export const element = 3;"],
  ["audio.js", "export const audio = 4;"],
]);

let sharing: RunningRelay;
beforeAll(async () => {
  const pages = { home, clientFiles: async () => FILES };
  sharing = await RunningRelay.start({}, { pages });
});
afterAll(() => sharing[Symbol.asyncDispose]());

test.each([
  ["/client.js", "client.js", "no-cache"],
  [`/client-${VERSION}.js`, "client.js", "immutable"],
  [`/client-${VERSION}.d.ts`, `client-${VERSION}.d.ts`, "immutable"],
  [`/client-${VERSION}/hash.js`, `client-${VERSION}/hash.js`, "immutable"],
  ["/element.js?a=1", "element.js", "no-cache"],
  [`/element-${VERSION}.js`, "element.js", "immutable"],
  [`/audio-${VERSION}.js`, "audio.js", "immutable"],
])("[G16] %s is %s, %s", async (path, file, cached) => {
  const { status, headers, text } = await sharing.call("GET", path);
  expect([status, text]).toEqual([200, FILES.get(file)]);
  expect(headers.get("cache-control")).toContain(cached);
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const again = { headers: { "if-none-match": headers.get("etag") ?? "" } };
  expect((await sharing.call("GET", path, again)).status).toBe(304);
  expect((await sharing.call("HEAD", path)).status).toBe(200);
  expect((await sharing.call("PUT", path)).json).toMatchObject({ code: "METHOD_WRONG" });
});

test.each([
  "/client-0.0.1.js",
  `/client-${VERSION}/other.js`,
  `/client-${VERSION}/hash.js/more`,
  `/element-${VERSION}.d.ts`,
])("[G16] a relay has nothing at %s", async (path) => {
  expect((await sharing.call("GET", path)).json).toMatchObject({ code: "PATH_UNKNOWN" });
});

test("[G16] a file that couldn't be built is asked for again", async () => {
  let calls = 0;
  const clientFiles = async () => {
    calls += 1;
    if (calls === 1) throw new Error("Not built.");
    return FILES;
  };
  await using relay = await RunningRelay.start({}, { pages: { home, clientFiles } });
  expect((await relay.call("GET", "/client.js")).status).toBe(500);
  expect((await relay.call("GET", "/client.js")).status).toBe(200);
});
