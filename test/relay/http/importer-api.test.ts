import { once } from "node:events";
import { get } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { parseRange } from "../../../relay/http/send-file.ts";
import { RunningRelay } from "../running-relay.ts";

test("[I2] parses ranges as RFC 9110 does", () => {
  expect(parseRange("bytes=0-9", 100)).toEqual({ start: 0, end: 9 });
  expect(parseRange("bytes=90-200", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-10", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-200", 100)).toEqual({ start: 0, end: 99 });
  expect(parseRange(" Bytes = 5 - 9 ", 100)).toEqual({ start: 5, end: 9 });
  for (const text of [
    undefined,
    "",
    "bytes=",
    "bytes=-",
    "bytes=5-2",
    "bytes=0-1,4-5",
    "items=0-1",
    "bytes=a-b",
  ]) {
    expect(parseRange(text, 100)).toBeUndefined();
  }
  expect(() => parseRange("bytes=100-", 100)).toThrow("outside");
  expect(() => parseRange("bytes=-0", 100)).toThrow("outside");
});

/** The headers that request a socket. */
const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

test("[I3][E1][E2] the socket requires an importer's token, and a refusal is JSON with an id, as elsewhere", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const attempts: [string, Record<string, string>, number][] = [
    ["/importer/socket", {}, 401],
    ["/importer/socket", { authorization: `Bearer ${token}` }, 401],
    ["/elsewhere", {}, 404],
    [
      "/importer/socket",
      { authorization: `Bearer ${importer.token}`, "sec-websocket-version": "1" },
      400,
    ],
  ];
  for (const [path, headers, status] of attempts) {
    const asked = get(relay.url + path, { headers: { ...UPGRADE, ...headers } });
    const [response] = await once(asked, "response");
    expect(response.statusCode).toBe(status);
    expect(response.headers["x-request-id"]).toMatch(/^[\w-]+$/);
    expect(await json(response)).toMatchObject({
      error: expect.any(String),
      code: expect.any(String),
    });
  }
});
