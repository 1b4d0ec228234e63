import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { PAGES, relayWithPage } from "./page-at-work.ts";
import { once } from "node:events";
import { connect } from "node:net";

test("[G1] the page is served with a policy that lets it call its own relay only", async () => {
  const relay = await relayWithPage();
  const { status, headers, text } = await relay.call("GET", "/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text === (await PAGES.home())).toBe(true);
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
    ["/", PAGES.home],
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
