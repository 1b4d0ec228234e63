import { beforeAll, expect, test } from "vitest";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { openSocket } from "./open-socket.ts";
import { rawCall } from "./raw-call.ts";

/** The status, lower-case head and body of a call whose target is sent as it is. */
async function callRaw(
  url: string,
  target: string,
  { method = "GET", token = "none" } = {},
): Promise<{ readonly status: number; readonly head: string; readonly body: string }> {
  const answer = await rawCall(
    url,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body };
}

let relay: RunningRelay;
beforeAll(async () => {
  relay = await RunningRelay.start();
  return () => relay[Symbol.asyncDispose]();
});

test("[E5] doubled and trailing slashes and needless escapes change no address", async () => {
  const { token } = await relay.paired();
  const targets = [
    "//app/me",
    "/app/me/",
    "///app///me//?x=//",
    "/%61pp/%6De",
    "/app/me#x",
    "/app/me?",
  ];
  for (const target of [...targets, "http://localhost//app/me/"]) {
    expect(await callRaw(relay.url, target, { token }), target).toMatchObject({ status: 200 });
  }
  const { upload } = await relay.announce(token, manifestOf(["a b.wav"]));
  const path = (upload["a b.wav"] ?? "").replaceAll("/", "//");
  const sent = await relay.call("PUT", `${path}/`, { token, body: smallWav() });
  expect([sent.status, sent.json.file]).toEqual([200, "a b.wav"]);
  for (const target of ["//docs/", "/docs", "//openapi.json/"]) {
    expect(await callRaw(relay.url, target), target).toMatchObject({ status: 200 });
  }
});

const DECOYS = [
  "/%2Fimporter/hello",
  "/importer%2Fhello",
  "/importer%252fhello",
  "/importer\\hello",
  "/\\importer/hello",
  "/./importer/hello",
  "/%2e%2e/importer/hello",
  "/importer/./hello",
  "/importer/%2E/hello",
  "/importer/hello/x/..",
  "/importer;/hello",
];

test("[E5] dot segments, encoded slashes and backslashes lead nowhere, and reach no other rule", async () => {
  for (const target of DECOYS) {
    const { status, body } = await callRaw(relay.url, target);
    expect([status, JSON.parse(body).code], target).toEqual([404, "PATH_UNKNOWN"]);
    const preflight = await callRaw(relay.url, target, { method: "OPTIONS" });
    expect([preflight.status, preflight.head.includes("access-control")], target).toEqual([
      404,
      false,
    ]);
  }
  // A second decoding would make it `%69mporter`, a third one the importer's.
  expect(await callRaw(relay.url, "/%%36%39mporter/hello")).toMatchObject({ status: 404 });
});

test.for([
  "//importer/hello",
  "/importer//hello/",
  "/%69mporter/hello",
  "/importe%72/hello?x=%zz",
  "http://localhost//importer/hello/",
])("[C3] a page can't read the importer's endpoint as %s", async (target, { expect }) => {
  const { head } = await callRaw(relay.url, target);
  expect(head).not.toContain("access-control");
  expect(await callRaw(relay.url, target, { method: "OPTIONS" })).toMatchObject({ status: 404 });
});

test("[C4] another name of this computer is refused however the address is spelled", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
  const targets = [
    "//importer/hello",
    "/healthz%2f",
    "/healthz/x/",
    "/./healthz",
    "http://evil.example//app/me/",
  ];
  for (const target of targets) {
    const call = `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await rawCall(relay.url, call), target).toMatch(/^HTTP\/1.1 421 /);
  }
  const absolute = "GET http://evil.example//metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  expect(await rawCall(relay.metricsUrl ?? "", absolute)).toMatch(/^HTTP\/1.1 421 /);
  expect(await callRaw(relay.metricsUrl ?? "", "//metrics/")).toMatchObject({ status: 200 });
  const probe = "GET //readyz/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  expect(await rawCall(relay.url, probe)).toMatch(/^HTTP\/1.1 200 /);
});

test("[L1] other spellings of an address share its limit", async () => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_CALLS_PER_MINUTE: "2",
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2",
  });
  const { token } = await relay.paired();
  const targets = ["/app/me", "//app/me", "/app/%6de/"];
  const answers = [];
  for (const target of targets) answers.push((await callRaw(relay.url, target, { token })).status);
  expect(answers).toEqual([200, 200, 429]);
});

test("[AD10] the log never has a file's name, however the address is spelled", async () => {
  await using relay = await RunningRelay.start();
  for (const target of [
    "//packages//x/files/secret.wav/",
    "/packages/x/%66iles/secret.wav",
    "/packages/x/files%2Fsecret.wav",
    "/packages%2Fx%2Ffiles%2Fsecret.wav",
    "/packages/./x/files/%zzsecret.wav",
    "/%70ackages/x/%66iles/%zzsecret.wav",
    "/packages/x/files\\secret.wav",
    "http://localhost/packages/x/files//secret.wav",
  ]) {
    const { head } = await callRaw(relay.url, target, { method: "PUT" });
    expect(head, target).toMatch(/^http\/1.1 40[14] /);
  }
  expect(relay.logLines.filter((line) => line.includes('"msg":"call"'))).toHaveLength(8);
  expect(relay.logLines.join("")).not.toContain("secret");
});

test("[E5] a file's name with an encoded slash is one name, which no package has", async () => {
  const { token } = await relay.paired();
  const { package_id: id } = await relay.announce(token, manifestOf(["b.wav"]));
  for (const name of ["a%2Fb.wav", "..%2fb.wav", "%2e%2e%5Cb.wav"]) {
    const answer = await callRaw(relay.url, `/packages/${id}/files/${name}`, {
      method: "PUT",
      token,
    });
    expect([answer.status, JSON.parse(answer.body).code], name).toEqual([404, "FILE_UNKNOWN"]);
  }
});

test("[E5] the importer's socket opens at another spelling of its address", async () => {
  const { token } = await relay.register();
  const socket = await openSocket({ url: `${relay.url}/` }, token);
  expect(socket.readyState).toBe(1);
  socket.terminate();
});
