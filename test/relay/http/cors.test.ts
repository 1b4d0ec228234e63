import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

const EXPOSED =
  "Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id, Soundferry-Relay, " +
  "Upload-Offset, Upload-Complete, Upload-Limit, Upload-Length";

test("[C1] any page can read every answer outside the importer's API", async () => {
  await using relay = await RunningRelay.start();
  const calls: [string, string][] = [
    ["GET", "/healthz"],
    ["GET", "/app/me"],
    ["GET", "/nowhere"],
    ["GET", "/packages/%zz/status"],
    ["PATCH", "/packages"],
    ["POST", "/pair/claim"],
    ["PUT", `/packages/x/files/${"y".repeat(3000)}`],
  ];
  for (const [method, path] of calls) {
    const { headers } = await relay.call(method, path);
    expect(headers.get("access-control-allow-origin"), path).toBe("*");
    expect(headers.get("access-control-expose-headers"), path).toBe(EXPOSED);
  }
});

test("[C5] every answer carries the relay's mark, also those that no route gives", async () => {
  await using relay = await RunningRelay.start();
  const calls: [string, string][] = [
    ["GET", "/healthz"],
    ["GET", "/"],
    ["GET", "/app/me"],
    ["GET", "/nowhere"],
    ["HEAD", "/healthz"],
    ["OPTIONS", "/packages"],
    ["GET", "/importer/socket"],
    ["POST", "/pair/claim"],
  ];
  for (const [method, path] of calls) {
    const { headers } = await relay.call(method, path);
    expect(headers.get("soundferry-relay"), `${method} ${path}`).toBe("1");
  }
  const upgrade = "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
  const refused = await rawCall(relay.url, `GET /importer/socket HTTP/1.1\r\n${upgrade}\r\n`);
  expect(refused.toLowerCase()).toMatch(/^http\/1.1 4[^]*\r\nsoundferry-relay: 1\r\n/);
});

test("[C2] a preflight of any path is 204 without a token and outside every limit", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" });
  for (let round = 0; round < 3; round += 1) {
    for (const path of ["/pair/claim", "/packages/x/files/a%20b.wav", "/nowhere/at/all"]) {
      const { status, headers, text } = await relay.call("OPTIONS", path, {
        headers: { origin: "https://example.org", "access-control-request-method": "PUT" },
      });
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toBe(
        "GET, HEAD, POST, PUT, PATCH, DELETE",
      );
      expect(headers.get("access-control-allow-headers")).toBe(
        "Authorization, *, Content-Type, X-Service-Client, Idempotency-Key, " +
          "Upload-Offset, Upload-Complete, Upload-Length, Upload-Draft-Interop-Version",
      );
      expect(headers.get("access-control-max-age")).toBe("86400");
    }
  }
});

test("[C3] the importer's API is closed to pages", async () => {
  await using relay = await RunningRelay.start();
  const preflight = await relay.call("OPTIONS", "/importer/packages");
  expect(preflight.status).toBe(404);
  for (const answer of [
    preflight,
    await relay.call("GET", "/importer/hello"),
    await relay.call("GET", "/importer/packages"),
    await relay.call("GET", "/importer/nowhere"),
    await relay.call("GET", "/%69mporter/hello"),
    await relay.call("GET", "/importe%72/hello?x=%zz"),
    await relay.call("POST", "/importer%2Fregister"),
    await relay.call("OPTIONS", "/%69mporter/register"),
  ]) {
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect((await relay.call("OPTIONS", "/%69mporter/register")).status).toBe(404);
  const hello =
    "GET http://localhost/importer/hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const answer = await rawCall(relay.url, hello);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer.toLowerCase()).not.toContain("access-control");
});
