import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { isOwnRefusal, RelayError } from "../../../addon/relay/relay-errors.ts";
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
