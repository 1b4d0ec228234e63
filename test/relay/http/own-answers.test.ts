import { waitingLeft } from "../../../core/quotas/room-shares.ts";
import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES, RELAY_DEFAULTS } from "../../../core/limits.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

const SIZE = smallWav().byteLength;

test("[A4] GET /app/me says what an announcement has room for", async () => {
  const perDevice = 10 * SIZE;
  await using relay = await RunningRelay.start({ SOUNDFERRY_BYTES_PER_DEVICE: String(perDevice) });
  const { token } = await relay.paired();
  const room = async () => (await relay.call("GET", "/app/me", { token })).json.room;
  const none = {
    bytes_left: perDevice,
    waiting_left: waitingLeft(RELAY_DEFAULTS.waitingPackagesPerDevice, {
      waitingPackages: 0,
      others: [],
    }),
    package_bytes_max: MAX_PACKAGE_BYTES,
  };
  expect(await room()).toEqual(none);
  await relay.announce(token, manifestOf(["a.wav"]));
  expect((await room()).bytes_left).toBe(perDevice - SIZE);
  await relay.send(token);
  const left = { bytes_left: perDevice - 2 * SIZE, waiting_left: none.waiting_left - 1 };
  expect(await room()).toEqual({ ...none, ...left });
});

test("[L1] RateLimit at /packages says how many packages are left, on refusals too", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "2" });
  const { token } = await relay.paired();
  const limits = async (method: string, body?: object) => {
    const { status, headers } = await relay.call(method, "/packages", {
      token,
      ...(body && { body }),
    });
    expect(headers.get("ratelimit-policy")).toMatch(/^"calls";q=\d+;w=60, "packages";q=2;w=3600$/);
    const said = /^"calls";r=\d+;t=\d+, "packages";r=(\d+);t=(\d+)$/.exec(
      headers.get("ratelimit") ?? "",
    );
    return [status, Number(said?.[1]), Number(said?.[2])];
  };
  expect(await limits("GET")).toEqual([200, 2, 0]);
  expect(await limits("POST", manifestOf(["a.wav"]))).toEqual([201, 1, 0]);
  expect(await limits("POST", [])).toEqual([422, 1, 0]);
  const [status, left, seconds = 0] = await limits("POST", manifestOf(["a.wav"]));
  expect([status, left]).toEqual([201, 0]);
  expect(seconds).toBeGreaterThan(3500);
  expect((await limits("POST", manifestOf(["a.wav"])))[0]).toBe(429);
});

test("[S7] an app lists its own packages, newest first, by status and in pages", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "1000" });
  const { importer, token } = await relay.paired();
  const list = async (query = "", bearer = token) =>
    (await relay.call("GET", `/packages${query}`, { token: bearer })).json;
  expect(await list()).toEqual({ packages: [], next: null });

  const waiting = await relay.send(token);
  relay.clock.pass(1);
  const { package_id: uploading } = await relay.announce(token, manifestOf(["a.wav"]));
  const run = { token: importer.token, body: { run_id: "r" } };
  await relay.call("POST", `/importer/packages/${waiting}/take`, run);
  const { packages } = await list();
  const status = await relay.call("GET", `/packages/${waiting}/status`, { token });
  const { files: _, ...listed } = status.json;
  expect(listed.taken).toBe(true);
  expect(packages).toEqual([expect.objectContaining({ package_id: uploading }), listed]);

  const idsOf = async (query: string) =>
    (await list(query)).packages.map(({ package_id }: { package_id: string }) => package_id);
  expect(await idsOf("?status=waiting")).toEqual([waiting]);
  expect(await idsOf("?status=imported,uploading")).toEqual([uploading]);
  expect(await idsOf("?status=imported")).toEqual([]);
  expect((await list("?status=gone")).code).toBe("STATUS_WRONG");
  expect((await list("?after=x")).code).toBe("CURSOR_WRONG");
  const other = await relay.pair(importer, { appId: "other" });
  expect((await list("", other)).packages).toEqual([]);
  await relay.call("DELETE", `/packages/${uploading}`, { token });
  expect(await idsOf("")).toEqual([waiting]);
});

test("[E1] HEAD works wherever GET does, with the same headers and no body", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const ofImporter = `/importer/packages/${id}/files/kick.wav`;
  const own = ["/app/me", "/packages", `/packages/${id}/status`, "/packages/none/status"];
  const open = ["/healthz", "/openapi.json", "/manifest.schema.json"];
  const calls = [
    ...[...open, ...own].map((path) => [path, token]),
    ...["/importer/packages?after=", ofImporter].map((path) => [path, importer.token]),
  ] as const;
  for (const [path = "", bearer = ""] of calls) {
    const get = await relay.call("GET", path, { token: bearer });
    const head = await relay.call("HEAD", path, { token: bearer });
    expect([head.status, head.text], path).toEqual([get.status, ""]);
    for (const name of ["content-type", "etag", "accept-ranges"]) {
      expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name));
    }
  }
  const wrong = await relay.call("PUT", "/packages", { token });
  expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST");
  expect((await relay.call("HEAD", "/pair/claim")).status).toBe(405);
});

test("[O1] /openapi.json is compressed where that is accepted, and 304 for those who have it", async () => {
  await using relay = await RunningRelay.start();
  const get = (headers: Record<string, string>) => fetch(`${relay.url}/openapi.json`, { headers });
  const plain = await get({ "accept-encoding": "identity" });
  const text = await plain.text();
  const etag = plain.headers.get("etag") ?? "";
  for (const encoding of ["br", "gzip"]) {
    const answer = await get({ "accept-encoding": encoding });
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([encoding, text]);
    expect(answer.headers.get("etag")).toBe(etag);
  }
  const known = await get({ "if-none-match": etag });
  expect([known.status, await known.text()]).toEqual([304, ""]);
});
