import { once } from "node:events";
import { get } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { parseRange } from "../../../relay/http/send-file.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { messagesOf, openSocket } from "./open-socket.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[I1] lists committed packages whose files exist, newest first, with the cleaned manifest", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  await relay.announce(token, manifestOf(["never.wav"]));
  const first = await relay.send(token, ["My Kick.wav"]);
  relay.clock.pass(1);
  const second = await relay.send(token);
  const { status, json } = await relay.call("GET", "/importer/packages", { token: importer.token });
  expect(status).toBe(200);
  expect(json.packages.map((one: { package_id: string }) => one.package_id)).toEqual([
    second,
    first,
  ]);
  expect(json.packages[1]).toEqual({
    package_id: first,
    version: expect.any(Number),
    status: "waiting",
    app_name: "Looper",
    manifest: expect.objectContaining({ package_id: first, title: "Kit" }),
    files: { "My Kick.wav": `/importer/packages/${first}/files/My%20Kick.wav` },
    taken: false,
    created_at: expect.stringMatching(/Z$/),
    committed_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
    expires_in: expect.toSatisfy((seconds: number) => seconds <= 86_399 && seconds > 86_000),
  });
  const otherImporter = await relay.register();
  const other = await relay.call("GET", "/importer/packages", { token: otherImporter.token });
  expect(other.json).toEqual({ packages: [], next: null });
  const foreign = await relay.call("POST", `/importer/packages/${first}/take`, {
    token: otherImporter.token,
  });
  expect(foreign.status).toBe(404);
});

test("[I2] sends a file or one range of it, with its checksum as ETag and the exact length", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const path = `/importer/packages/${id}/files/kick.wav`;
  const wav = smallWav();
  const get = (headers: Record<string, string> = {}) =>
    fetch(relay.url + path, { headers: { authorization: `Bearer ${importer.token}`, ...headers } });
  const whole = await get();
  const etag = whole.headers.get("etag") ?? "";
  expect(whole.status).toBe(200);
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
  expect(whole.headers.get("content-length")).toBe(String(wav.length));
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(wav);
  const rest = await get({ range: "bytes=100-", "if-range": etag });
  expect(rest.status).toBe(206);
  expect(rest.headers.get("content-range")).toBe(`bytes 100-${wav.length - 1}/${wav.length}`);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(wav.subarray(100));
  expect((await get({ range: "bytes=0-0" })).headers.get("content-length")).toBe("1");
  expect((await get({ range: "bytes=100-", "if-range": '"other"' })).status).toBe(200);
  expect((await get({ range: "bytes=0-1,4-5" })).status).toBe(200);
  const outside = await get({ range: `bytes=${wav.length}-` });
  expect(outside.status).toBe(416);
  expect(outside.headers.get("content-range")).toBe(`bytes */${wav.length}`);
  const missing = await relay.call("GET", `/importer/packages/${id}/files/no.wav`, {
    token: importer.token,
  });
  expect([missing.status, missing.json.code]).toEqual([404, "FILE_UNKNOWN"]);
});

test("[I2] parses ranges as RFC 9110 does", () => {
  expect(parseRange("bytes=0-9", 100)).toEqual({ start: 0, end: 9 });
  expect(parseRange("bytes=90-200", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-10", 100)).toEqual({ start: 90, end: 99 });
  expect(parseRange("bytes=-200", 100)).toEqual({ start: 0, end: 99 });
  expect(parseRange(" Bytes = 5 - 9 ", 100)).toEqual({ start: 5, end: 9 });
  for (const text of [undefined, "", "bytes=", "bytes=-", "bytes=5-2", "items=0-1", "bytes=a-b"]) {
    expect(parseRange(text, 100)).toBeUndefined();
  }
  expect(() => parseRange("bytes=100-", 100)).toThrow("outside");
  expect(() => parseRange("bytes=-0", 100)).toThrow("outside");
});

test("[I3] the socket notifies of packages, apps and used codes, and only for its own device", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const otherImporter = await relay.register("Other");
  const socket = await openSocket(relay, importer.token);
  const other = await openSocket(relay, otherImporter.token);
  const received = messagesOf(socket);
  const otherReceived = messagesOf(other);
  await relay.send(token);
  await soon(() => received).toContain('{"type":"packages.changed"}');
  await relay.pair(importer, { appId: "new", appName: "Drums" });
  await soon(() => received).toContain('{"type":"code.used","app_name":"Drums"}');
  await soon(() => received).toContain('{"type":"apps.changed"}');
  expect(otherReceived).toEqual([]);
  const closed = once(socket, "close");
  await relay.call("DELETE", "/importer/me", { token: importer.token });
  expect((await closed)[0]).toBe(4401);
  other.terminate();
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

test("[I4] answers hello without a token and refuses an unsupported API version", async () => {
  await using relay = await RunningRelay.start();
  const importer = await relay.register();
  const hello = await relay.call("GET", "/importer/hello", {
    headers: { "x-soundferry-importer": "9.9.9; api=99" },
  });
  expect([hello.status, hello.json]).toEqual([
    200,
    {
      service: "soundferry",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      importer_api: [1, 2],
      now: expect.stringMatching(/Z$/),
      instance: expect.stringMatching(/^ins_/),
    },
  ]);
  const call = (header: string) =>
    relay.call("GET", "/importer/apps", {
      token: importer.token,
      headers: { "x-soundferry-importer": header },
    });
  expect((await call("0.1.0; api=1")).status).toBe(200);
  const old = await call("0.0.1; api=0");
  expect([old.status, old.json.code]).toEqual([426, "IMPORTER_TOO_OLD"]);
  expect(old.json.error).toContain("Update");
});
