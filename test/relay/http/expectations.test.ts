import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { partHeaders } from "./partial-calls.ts";
import { rawCall } from "./raw-call.ts";

interface Waiting {
  readonly method?: string;
  readonly token?: string;
  readonly body?: Uint8Array | string;
  /** The value of `Content-Length`; the body's own unless set. */
  readonly bytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body only once the relay asks for it. Returns the status, after `100` if it asked. */
async function waitToSend(
  { url }: RunningRelay,
  path: string,
  { method = "PUT", token = "none", body = "{}", bytes = body.length, headers = {} }: Waiting,
): Promise<readonly number[]> {
  const call = request(url + path, {
    method,
    headers: {
      expect: "100-continue",
      "content-length": bytes,
      authorization: `Bearer ${token}`,
      ...headers,
    },
  });
  const statuses: number[] = [];
  call.on("continue", () => {
    statuses.push(100);
    call.end(body);
  });
  call.flushHeaders();
  const [{ statusCode }] = await once(call, "response");
  call.destroy();
  return [...statuses, statusCode];
}

test("[E6] a refusal that is known before the body comes at once", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const sent = await relay.send(token);
  const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const file = `/packages/${id}/files/a.wav`;
  const part = { token, method: "PATCH", bytes: 5, headers: partHeaders(0, "?1") };
  const cases: [string, Waiting, number][] = [
    [file, {}, 401],
    [`/packages/${id}/files/b.wav`, { token }, 404],
    ["/packages/unknown/files/a.wav", { token }, 404],
    [`/packages/${sent}/files/kick.wav`, { token }, 409],
    [file, { token, bytes: 5 }, 422],
    [file, part, 422],
    [file, { ...part, headers: {} }, 400],
    ["/packages", { token, method: "POST", bytes: MAX_JSON_BYTES + 1 }, 413],
    ["/packages", { token, method: "PUT" }, 405],
    ["/nowhere", { token, method: "POST" }, 404],
    ["/app/me", { token, headers: { host: "evil.example" } }, 421],
  ];
  for (const [path, waiting, status] of cases) {
    expect(await waitToSend(relay, path, waiting), `${path} ${status}`).toEqual([status]);
  }
});

test("[E6] a limit refuses before the body", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_CALLS_PER_MINUTE: "1" });
  const { token } = await relay.paired();
  await relay.call("GET", "/app/me", { token });
  expect(await waitToSend(relay, "/packages", { method: "POST", token })).toEqual([429]);
});

test("[E6] a body that is wanted is asked for, once, and then judged", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const body = JSON.stringify(manifestOf(["a.wav"]));
  expect(await waitToSend(relay, "/packages", { method: "POST", token, body })).toEqual([100, 201]);
  expect(await waitToSend(relay, "/pair/claim", { method: "POST" })).toEqual([100, 400]);
  const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const file = `/packages/${id}/files/a.wav`;
  expect(await waitToSend(relay, file, { token, body: smallWav() })).toEqual([100, 200]);
  const commit = { method: "POST", token };
  expect(await waitToSend(relay, `/packages/${id}/commit`, commit)).toEqual([100, 200]);
});

test("[E6] HTTP/1.0 and other expectations get no 100", async () => {
  await using relay = await RunningRelay.start();
  for (const [version, expectation] of [
    ["1.0", "100-continue"],
    ["1.1", "nonsense"],
  ]) {
    const head = `POST /pair/claim HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n`;
    const answer = await rawCall(relay.url, `${head}Expect: ${expectation}\r\n\r\n{}`);
    expect(answer.match(/^HTTP\/1.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
  }
});
