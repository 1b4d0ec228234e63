import { beforeAll, describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

/** The status and body of a call to a host, made to the relay's address. */
async function callAs(
  url: string,
  host: string | undefined,
  { method = "GET", target = "/importer/hello", version = "1.1", headers = "" } = {},
): Promise<{ readonly status: number; readonly body: string; readonly head: string }> {
  const hostLine = host === undefined ? "" : `Host: ${host}\r\n`;
  const answer = await rawCall(
    url,
    `${method} ${target} HTTP/${version}\r\n${hostLine}Connection: close\r\n${headers}\r\n`,
  );
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body, head };
}

let relay: RunningRelay;
beforeAll(async () => {
  relay = await RunningRelay.start();
  return () => relay[Symbol.asyncDispose]();
});

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n";

describe("[C4] a page that points a name of its own at this computer (DNS rebinding)", () => {
  test.for<[string, Parameters<typeof callAs>[2]]>([
    ["the importer's API", {}],
    ["registering", { method: "POST", target: "/importer/register" }],
    ["the apps' API", { target: "/app/me" }],
    ["the page", { target: "/" }],
    ["an unknown path", { target: "/nowhere" }],
    ["a path that no router takes", { target: "/packages/%zz/status" }],
    ["a wrong method", { method: "PATCH", target: "/packages" }],
    ["a preflight", { method: "OPTIONS", target: "/pair/claim" }],
    ["a path below the open ones", { target: "/healthz/../importer/hello" }],
    ["a target in absolute form", { target: "http://evil.example/importer/hello" }],
    ["HTTP/1.0", { version: "1.0" }],
  ])("gets no answer from %s", async ([, call], { expect }) => {
    const { status, body } = await callAs(relay.url, "evil.example:4700", call);
    expect([status, JSON.parse(body)]).toEqual([
      421,
      {
        error: "The relay has no such name. Its operator can set SOUNDFERRY_ALLOWED_HOSTS.",
        code: "HOST_UNKNOWN",
      },
    ]);
  });

  test("gets no socket, even with a token", async () => {
    const { token } = await relay.register();
    const headers = `${UPGRADE}Authorization: Bearer ${token}\r\n`;
    const target = "/importer/socket";
    const refused = await callAs(relay.url, "evil.example", { target, headers });
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([421, "HOST_UNKNOWN"]);
  });

  test("registers and claims nothing", async () => {
    await using relay = await RunningRelay.start();
    await callAs(relay.url, "evil.example", { method: "POST", target: "/importer/register" });
    const { importer_token: token } = JSON.parse(
      (await callAs(relay.url, "localhost", { method: "POST", target: "/importer/register" })).body,
    );
    expect(token).toEqual(expect.any(String));
    expect(relay.logLines.filter((line) => line.includes('"status":421'))).toHaveLength(1);
  });

  test("reads no metrics", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
    const url = relay.metricsUrl ?? "";
    const evil = await callAs(url, "evil.example", { target: "/metrics" });
    expect([evil.status, JSON.parse(evil.body).code]).toEqual([421, "HOST_UNKNOWN"]);
    const own = await callAs(url, "localhost:9090", { target: "/metrics" });
    expect(own.status).toBe(200);
    for (const { head } of [evil, own]) expect(head).toMatch(/^x-content-type-options: nosniff/im);
  });
});

test("[C4] every name of this computer, and every name that the settings give, is answered", async () => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_BASE_URL: "https://relay.example.com/sounds",
    SOUNDFERRY_ALLOWED_HOSTS: "Bücher.example, *.apps.example,[2001:DB8::7]",
  });
  for (const host of [
    "127.0.0.1",
    "localhost:4700",
    "Panel.LocalHost.",
    "[::1]:1",
    "relay.example.com",
    "RELAY.example.com.:8443",
    "xn--bcher-kva.example",
    "one.apps.example",
    "[2001:db8::7]:4700",
  ]) {
    expect((await callAs(relay.url, host)).status, host).toBe(200);
  }
  for (const host of ["apps.example", "evil.example", "relay.example.com.evil.example", ""]) {
    expect((await callAs(relay.url, host)).status, host).toBe(421);
  }
});

test("[C4] a target in absolute form counts in place of the header", async () => {
  const own = await callAs(relay.url, "evil.example", {
    target: "http://localhost:4700/importer/hello",
  });
  expect(own.status).toBe(200);
});

test("[C4] a program that names no host, in HTTP/1.0, is answered", async () => {
  expect((await callAs(relay.url, undefined, { version: "1.0" })).status).toBe(200);
  expect((await callAs(relay.url, undefined)).status).toBe(400);
});

test("[C4] a call with two names is malformed, also an upgrade and a read of the metrics", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
  const { token } = await relay.register();
  const authorized = `${UPGRADE}Authorization: Bearer ${token}\r\n`;
  const evil = "Host: evil.example\r\n";
  for (const [url, target, headers] of [
    [relay.url, "/importer/hello", evil],
    [relay.url, "/healthz", evil],
    [relay.url, "/importer/socket", `${authorized}${evil}`],
    [relay.metricsUrl ?? "", "/metrics", evil],
  ] as const) {
    expect((await callAs(url, "localhost", { target, headers })).status, target).toBe(400);
  }
  const nameless = await callAs(relay.url, undefined, {
    target: "/importer/socket",
    headers: authorized,
  });
  expect(nameless.status).toBe(400);
});

test("[C4] healthz and readyz are answered by any name", async () => {
  for (const target of ["/healthz", "/readyz", "/readyz?verbose", "http://10.0.0.7/healthz"]) {
    expect((await callAs(relay.url, "10.0.0.7", { target })).status, target).toBe(200);
  }
});

test.for([["127.0.0.1"], ["127.0.0.0/8"], ["::1,127.0.0.1/32"]])(
  "[C4] a proxy at %s answers for the names that it forwards",
  async ([trusted = ""], { expect }) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: trusted });
    expect((await callAs(relay.url, "relay.example.com")).status).toBe(200);
  },
);

test("[C4] a proxy elsewhere changes nothing", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "10.0.0.1,fd00::/8" });
  expect((await callAs(relay.url, "relay.example.com")).status).toBe(421);
});

test("[C4] the settings take names, and refuse what is none", async () => {
  for (const wrong of ["relay.example.com:443", "*", "https://relay.example.com", "a,,b", "a b"]) {
    await expect(RunningRelay.start({ SOUNDFERRY_ALLOWED_HOSTS: wrong })).rejects.toThrow(
      "SOUNDFERRY_ALLOWED_HOSTS must be host names without a port, with commas between them",
    );
  }
});
