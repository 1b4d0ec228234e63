import { expect, test } from "vitest";
import { streamingUpload } from "../../client/node/in-node.ts";
import { RelayHttp, type Success } from "../../client/wire/relay-http.ts";
import { fetchUpload, type UploadTransport } from "../../client/wire/upload-transport.ts";
import type { MeAnswer } from "../../core/protocol/public-api.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { drip, endless, FLOOD_BYTES, type Hostile, startHostile } from "./hostile-server.ts";
import { pairedClient } from "./stand-in-relay.ts";

// Answers that never end, or that only somebody means badly gives, from a real server.

const SHAPE: Success<Pick<MeAnswer, "device_name">> = { shape: { device_name: "string" } };

const relayAt = ({ url }: Hostile) =>
  new RelayHttp(url, (...request) => fetch(...request), undefined);

test.each([
  [200, "NOT_A_RELAY"],
  [422, "REFUSED"],
  [500, "RELAY_TROUBLE"],
])("[W45] stops reading an answer without an end: %s is %s", async (status, code) => {
  const server = await endless(status);
  const call = { method: "GET", path: "/app/me" } as const;
  await expect(relayAt(server).call(call, SHAPE)).rejects.toMatchObject({ code });
  expect(server.sentBytes()).toBeLessThan(FLOOD_BYTES);
});

test("[W45] an answer that drips ends with the call's time", async () => {
  const server = await drip();
  const call = { method: "GET", path: "/app/me", timeoutMs: 300 } as const;
  await expect(relayAt(server).call(call, SHAPE)).rejects.toMatchObject({ code: "TIMEOUT" });
});

const TRANSPORTS: readonly (readonly [string, UploadTransport])[] = [
  ["fetch", fetchUpload((...request) => fetch(...request))],
  ["Node", streamingUpload((...request) => fetch(...request))],
];

function uploadTo(server: Hostile, transport: UploadTransport, timeoutMs?: number) {
  const request = {
    url: `${server.url}/a.wav`,
    headers: {},
    sound: new Blob(["x"]),
    onProgress: () => {},
    signal: undefined,
  };
  return relayAt(server).answerOf({}, undefined, () => transport(request), timeoutMs);
}

test.each(TRANSPORTS)(
  "[W45] an upload with %s reads no answer without an end, and none that drips",
  async (_name, transport) => {
    const flood = await endless(200);
    await expect(uploadTo(flood, transport)).rejects.toMatchObject({ code: "NOT_A_RELAY" });
    expect(flood.sentBytes()).toBeLessThan(FLOOD_BYTES);
    const slow = await drip();
    await expect(uploadTo(slow, transport, 300)).rejects.toMatchObject({ code: "TIMEOUT" });
  },
);

test("[W45] an upload whose answer's headers never come ends, too", async () => {
  const server = await startHostile(() => {});
  const transport = streamingUpload((...request) => fetch(...request), 300);
  await expect(uploadTo(server, transport)).rejects.toMatchObject({ code: "TIMEOUT" });
});

const deep = "[".repeat(20_000) + "]".repeat(20_000);

test.each([
  ["20,000 lists in each other", deep],
  ["a member with 20,000 lists in each other", `{"device_name":${deep}}`],
  ["HTML", "<!doctype html><title>Welcome</title>"],
  ["null", "null"],
  ["a list", "[1]"],
  ["half of an object", '{"device_name":"Stu'],
])("[W41][W45] a success with %s is not the relay's", async (_name, body) => {
  const server = await startHostile((response) => {
    response.writeHead(200, { [RELAY_MARK.name]: RELAY_MARK.value }).end(body);
  });
  await expect(pairedClient(server.url).me()).rejects.toMatchObject({
    name: "ClientError",
    code: "NOT_A_RELAY",
  });
});

test("[W45] a refusal with members of any kind and size is one error with a short sentence", async () => {
  const about = `"missing":[${deep},"a.wav",null],"problems":[${deep},{"error":"No."}],"sound":${deep}`;
  const server = await startHostile((response) => {
    response
      .writeHead(429, { [RELAY_MARK.name]: RELAY_MARK.value, "retry-after": "9".repeat(5000) })
      .end(`{"error":"${"No. ".repeat(50_000)}","code":{},"position":"1",${about}}`);
  });
  const error = await pairedClient(server.url)
    .commit("pkg_1")
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: "ClientError",
    status: 429,
    code: "REFUSED",
    missing: ["a.wav"],
    problems: [],
    retryAt: undefined,
  });
  expect(String(error).length).toBeLessThan(600);
});

test("[W45] headers without an end are no answer", async () => {
  const server = await startHostile((response) => {
    response.writeHead(200, { "x-long": "x".repeat(1024 ** 2) }).end("{}");
  });
  await expect(pairedClient(server.url).me()).rejects.toMatchObject({ code: "NO_ANSWER" });
});

test("[W7][W45] a chain of redirects isn't followed", async () => {
  let requests = 0;
  const server = await startHostile((response) => {
    requests += 1;
    response.writeHead(302, { location: `/${requests}` }).end();
  });
  await expect(pairedClient(server.url).me()).rejects.toMatchObject({
    code: "REDIRECTED",
    foreignStatus: 302,
  });
  expect(requests).toBe(1);
});
