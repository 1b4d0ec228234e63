import { createHash } from "node:crypto";
import { onTestFinished, expect, test } from "vitest";
import { RECEIVE_WORKER_PATH } from "../../../core/protocol/receive-worker.ts";
import { readStretchModule } from "../../../program/stretch-module.ts";
import { RunningRelay } from "../running-relay.ts";

const PAGE = "<html><body><style>p{}</style><script>receive()</script></body></html>";
const WORKER = "onmessage = () => {};";

/** A relay with such a page, which is made when it is first visited. */
async function relayWithReceive(settings: Record<string, string> = {}) {
  const made: string[] = [];
  const make = (name: string, text: string) => async () => {
    made.push(name);
    return text;
  };
  const pages = {
    home: make("home", "<html></html>"),
    receive: { page: make("page", PAGE), worker: make("worker", WORKER) },
  };
  const relay = await RunningRelay.start(settings, { pages });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return { relay, made };
}

const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("[RC20] the page is served to everybody, and made once", async () => {
  const { relay, made } = await relayWithReceive();
  expect(made).toEqual([]);
  const { status, headers, text } = await relay.call("GET", "/receive");
  expect([status, headers.get("content-type"), text]).toEqual([
    200,
    "text/html; charset=utf-8",
    PAGE,
  ]);
  const etag = headers.get("etag") ?? "";
  const again = await relay.call("GET", "/receive", { headers: { "if-none-match": etag } });
  expect([again.status, headers.get("cache-control")]).toEqual([304, "no-cache"]);
  expect((await relay.call("HEAD", "/receive")).status).toBe(200);
  expect(await relay.call("POST", "/receive")).toMatchObject({ status: 405 });
  const asked = await relay.call("GET", "/receive?from=phone");
  expect(asked.status).toBe(200);
  expect(made).toEqual(["page"]);
});

test("[RC20] its policy names what it is made of, and nothing can frame it", async () => {
  const { relay } = await relayWithReceive();
  const { headers } = await relay.call("GET", "/receive");
  expect(headers.get("content-security-policy")?.split("; ")).toEqual([
    "default-src 'none'",
    `script-src ${digest("receive()")} 'wasm-unsafe-eval' ${relay.url}/stretch.js`,
    `style-src ${digest("p{}")}`,
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test("[O10] it says who runs the relay, within its policy", async () => {
  const { relay } = await relayWithReceive({ SOUNDFERRY_OPERATOR_NAME: "Studio Sud" });
  const { headers, text } = await relay.call("GET", "/receive");
  expect(text).toContain("Studio Sud");
  const styles = [...text.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style = ""]) => style);
  expect(styles).toHaveLength(2);
  for (const style of styles) {
    expect(headers.get("content-security-policy")).toContain(digest(style));
  }
});

test("[RC20] its scripts are for pages of its own origin", async () => {
  const { relay } = await relayWithReceive();
  const stretch = await relay.call("GET", "/stretch.js");
  expect(stretch.text).toBe(new TextDecoder().decode(await readStretchModule()));
  const worker = await relay.call("GET", RECEIVE_WORKER_PATH);
  expect(worker.text).toBe(WORKER);
  for (const { headers } of [stretch, worker]) {
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
  expect(worker.headers.get("cache-control")).toContain("immutable");
  expect(worker.headers.get("content-security-policy")).toContain("connect-src 'self'");
});

test("[RC20] a relay without the page serves neither it nor its scripts", async () => {
  const relay = await RunningRelay.start({}, { pages: { home: async () => "<html></html>" } });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  for (const path of ["/receive", "/stretch.js", RECEIVE_WORKER_PATH]) {
    expect((await relay.call("GET", path)).json).toMatchObject({ code: "PATH_UNKNOWN" });
  }
});
