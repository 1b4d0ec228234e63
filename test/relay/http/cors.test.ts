import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

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

test("[C2] a preflight is outside every limit", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" });
  for (let round = 0; round < 3; round += 1) {
    const { status, text } = await relay.call("OPTIONS", "/pair/claim");
    expect([status, text]).toEqual([204, ""]);
  }
});
