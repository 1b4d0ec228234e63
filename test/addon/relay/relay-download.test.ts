import { Buffer } from "node:buffer";
import type { lookup, LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { addressIn, checkedLookup } from "../../../addon/relay/relay-download.ts";
import { isOwnRefusal, RelayError } from "../../../core/importer/relay-errors.ts";
import { isPublicAddress, maySendTo } from "../../../addon/relay/relay-url.ts";
import { linkTo, startStandIn } from "./linked-client.ts";

const PATH = "/importer/packages/pkg_1/files/1.wav";
const WAV = Buffer.alloc(1000, 7);

async function open(
  reply: { status: number; headers?: Record<string, string>; body?: string | Buffer | object },
  startByte = 0,
) {
  const relay = await startStandIn();
  relay.intercept = ({ path }) => (path === PATH ? reply : undefined);
  const { signal } = new AbortController();
  return linkTo(relay.url).client.openFile(PATH, { startByte, signal });
}

const part = (range: string) => ({
  status: 206,
  headers: { "content-range": range },
  body: WAV.subarray(500),
});

describe("the answer to a download", () => {
  test("[I2] says where its body begins, and how long it is", async () => {
    const whole = { status: 200, headers: { "content-length": "1000" }, body: WAV };
    expect(await open(whole)).toMatchObject({ startByte: 0, bodyBytes: 1000 });
    const rest = await open(part("bytes 500-999/1000"), 500);
    expect(rest).toMatchObject({ startByte: 500, bodyBytes: 500 });
    expect(await open({ status: 200, body: WAV }, 500)).toMatchObject({ startByte: 0 });
  });

  test.each([
    ["a page", { status: 200, headers: { "content-type": "text/html" }, body: "<html>" }],
    ["JSON", { status: 200, body: { ok: true } }],
    ["compressed", { status: 200, headers: { "content-encoding": "gzip" }, body: WAV }],
    ["a part without a range", { status: 206, body: WAV }],
    ["a range that makes no sense", part("bytes 900-500/1000")],
    [
      "a range of another length",
      {
        ...part("bytes 500-899/1000"),
        headers: { "content-range": "bytes 500-899/1000", "content-length": "500" },
      },
    ],
  ])("[R1] that is %s is not the sound, and not the relay's refusal", async (_, reply) => {
    const error = await open(reply, 500).catch((error: unknown) => error);
    expect(error).toMatchObject({
      name: "RelayUnreachableError",
      message: expect.stringMatching(
        /^Something other than the sound came from 127\.0\.0\.1:\d+\.$/,
      ),
    });
    expect(isOwnRefusal(error)).toBe(false);
  });

  test.each([
    [404, "SOUND_LOST", true],
    [404, "FILE_UNKNOWN", true],
    [409, "PACKAGE_EXPIRED", true],
    [403, "SOUND_LOST", false],
    [404, "NOT_FOUND", false],
    [404, "toString", false],
    [404, undefined, false],
    [429, "CALLS_TOO_MANY", false],
    [500, "INTERNAL", false],
    [503, "NOT_READY", false],
  ])("[R1] with status %s and the code %s: the relay's own refusal is %s", (status, code, is) => {
    expect(isOwnRefusal(new RelayError(status, "No.", { code }))).toBe(is);
  });
});

const FAR = "8.8.8.8";

describe("an address that the relay sends an importer to", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.20.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "localhost",
  ])("[SC15] %s is not a public address", (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(maySendTo(address, FAR)).toBe(false);
  });

  test("[SC15] nobody sends to what is nearer than itself", () => {
    expect(maySendTo(FAR, FAR)).toBe(true);
    expect(maySendTo("192.168.1.9", "192.168.1.5")).toBe(true);
    expect(maySendTo("127.0.0.1", "192.168.1.5")).toBe(false);
    expect(maySendTo("127.0.0.1", "127.0.0.1")).toBe(true);
    expect(maySendTo("127.0.0.1", undefined)).toBe(false);
  });

  test.each([
    ["http://8.8.8.8/a", false],
    ["https://8.8.8.8/a", true],
    ["https://127.0.0.1/a", false],
    ["https://[::1]/a", false],
    ["https://2130706433/a", false],
    ["https://user:word@8.8.8.8/a", false],
    ["ftp://8.8.8.8/a", false],
    ["/importer/me", false],
    [`https://8.8.8.8/${"a".repeat(9000)}`, false],
  ])("[SC15] %.40s is followed for a relay on the internet: %s", (location, isFollowed) => {
    expect(addressIn(location, FAR) !== undefined).toBe(isFollowed);
  });

  test("[SC15] http is only for a relay that is near", () => {
    expect(addressIn("http://127.0.0.1:9000/a", "127.0.0.1")).toBeDefined();
    expect(addressIn("http://127.0.0.1:9000/a", "192.168.1.5")).toBeUndefined();
  });

  test("[SC15] a name is judged by the addresses that are connected to", async () => {
    const found: LookupAddress[] = [
      { address: "127.0.0.1", family: 4 },
      { address: FAR, family: 4 },
    ];
    // Only the form that is called.
    const resolve = ((_name: string, _options: unknown, callback: Resolved) =>
      callback(null, found)) as unknown as typeof lookup;
    const look = (all: boolean, relayAt: string) =>
      new Promise((done) =>
        checkedLookup(relayAt, resolve)("storage.example", { all }, (error, address) =>
          done(error?.message ?? address),
        ),
      );
    expect(await look(true, FAR)).toEqual([{ address: FAR, family: 4 }]);
    expect(await look(false, FAR)).toBe(FAR);
    found.pop();
    expect(await look(true, FAR)).toBe("storage.example has no public address.");
    expect(await look(true, "127.0.0.1")).toEqual(found);
  });
});

describe("an importer that is sent to the storage", () => {
  test("[SC15] follows once, with the range and without the token", async () => {
    const storage = await startStandIn();
    storage.intercept = () => ({
      status: 206,
      headers: { "content-range": "bytes 500-999/1000", "content-length": "500" },
      body: WAV.subarray(500),
    });
    const relay = await startStandIn();
    relay.intercept = ({ path }) =>
      path === PATH ? { status: 307, headers: { location: `${storage.url}/x` } } : undefined;
    const found = await openAt(relay.url, 500);
    expect(found).toMatchObject({ startByte: 500, bodyBytes: 500 });
    const [asked] = storage.calls;
    expect(asked?.headers.range).toBe("bytes=500-");
    expect(asked?.headers.authorization).toBeUndefined();
    expect(asked?.headers["x-soundferry-importer"]).toBeUndefined();
  });

  test.each([
    ["redirects again", { status: 302, headers: { location: "https://8.8.8.8/" } }],
    ["refuses", { status: 403, body: "<Error/>" }],
    ["answers with a page", { status: 200, headers: { "content-type": "text/html" }, body: "<p>" }],
  ])("[SC15] gets the sound from the relay if the storage %s", async (_, reply) => {
    const storage = await startStandIn();
    storage.intercept = () => reply;
    const relay = await startStandIn();
    relay.intercept = ({ path, headers }) => {
      if (path !== PATH) return undefined;
      return headers["x-soundferry-follows"] === "redirect"
        ? { status: 307, headers: { location: `${storage.url}/x` } }
        : { status: 200, headers: { "content-length": "1000" }, body: WAV };
    };
    expect(await openAt(relay.url, 0)).toMatchObject({ startByte: 0, bodyBytes: 1000 });
    expect(storage.calls).toHaveLength(1);
  });
});

type Resolved = (error: null, found: readonly LookupAddress[]) => void;

function openAt(url: string, startByte: number) {
  return linkTo(url).client.openFile(PATH, { startByte, signal: new AbortController().signal });
}
