import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

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

test("[E1] HEAD has the headers of GET, and a 405 names both where there is one", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const file = `/importer/packages/${await relay.send(token)}/files/kick.wav`;
  for (const [path, bearer] of [
    ["/openapi.json", undefined],
    ["/packages/none/status", token],
    [file, importer.token],
  ] as const) {
    const call = bearer === undefined ? {} : { token: bearer };
    const [get, head] = [await relay.call("GET", path, call), await relay.call("HEAD", path, call)];
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
