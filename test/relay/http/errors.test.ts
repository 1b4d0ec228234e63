import { expect, test } from "vitest";
import { MAX_HEADER_BYTES } from "../../../core/limits.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";
import { soon } from "../../sim/soon.ts";

test("[E1] every refusal says that it is JSON, also of an address that is too long or can't be decoded", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  for (const [method, path, status] of [
    ["GET", "/%zz", 404],
    ["GET", "/packages/%E0%A4%A/status", 404],
    ["GET", `/packages/${"x".repeat(3000)}/status`, 404],
    ["PATCH", "/packages", 405],
    ["POST", "/packages", 400],
  ] as const) {
    const answer = await relay.call(method, path, { token });
    expect(answer.status, `${method} ${path}`).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  }
});

test("[E1] a request that is not valid HTTP is answered too", async () => {
  await using relay = await RunningRelay.start();
  const cases: [string, number, string][] = [
    ["NONSENSE\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["GET / HTTP/9.9\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400, "REQUEST_MALFORMED"],
    [
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(MAX_HEADER_BYTES)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
  ];
  for (const [bytes, status, code] of cases) {
    const answer = await rawCall(relay.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain("access-control-allow-origin: *");
    expect(answer.toLowerCase()).toContain("x-request-id: ");
    expect(answer.toLowerCase(), "[C5]").toContain("soundferry-relay: 1");
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ code });
  }
});

test("[E1] TRACE and CONNECT are refused, and a request's headers never come back", async () => {
  await using relay = await RunningRelay.start();
  const rest = "HTTP/1.1\r\nHost: localhost\r\nX-Secret: s3cret\r\nConnection: close\r\n\r\n";
  for (const method of ["TRACE", "TRACK", "CONNECT"]) {
    const answer = await rawCall(relay.url, `${method} / ${rest}`).catch(String);
    expect(answer, method).not.toMatch(/^HTTP\/1.1 2/);
    expect(answer, method).not.toContain("s3cret");
  }
  const traced = await rawCall(relay.url, `TRACE /healthz ${rest}`);
  expect(traced).toMatch(/^HTTP\/1.1 4\d\d /);
});

test("[E1] the refusal of an invalid request is never mistaken for the pending answer to an earlier call", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const id = await relay.send(token);
  const quick = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const awaited = `GET /packages/${id}/status?wait=20 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const answered = rawCall(relay.url, quick + awaited, "NONSENSE\r\n\r\n");
  expect((await answered).match(/^HTTP\/1.1 \d+/gm)).toEqual(["HTTP/1.1 200"]);
});

test("[E1] text quoted in a sentence can neither break its line nor reverse its direction", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const item = { file: "a.wav", bytes: 10, sha256: "0".repeat(64) };
  const { package_id: id } = await relay.announce(token, { schema: "app2host/1", items: [item] });
  const path = `/packages/${id}/files/a%0D%0Ab%E2%80%AEc%1B.wav`;
  const { status, json } = await relay.call("PUT", path, { token, body: "0123456789" });
  expect([status, json.error]).toEqual([404, "The package has no file a b c .wav."]);
});

test("[E2] a 500 reveals no internals, and the log has its id and cause", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const packages = relay.relay.context.packages;
  packages.find = () => Promise.reject(new Error("secret inside"));
  const answer = await relay.call("GET", "/packages/x/status", { token });
  expect([answer.status, answer.json]).toEqual([
    500,
    { error: REFUSALS.INTERNAL.sentence, code: "INTERNAL" },
  ]);
  const id = answer.headers.get("x-request-id") ?? "none";
  const logged = relay.logLines.filter((line) => line.includes(id)).join("");
  expect(logged).toContain("secret inside");
});

test("[E2] refusals and changes are logged, successful reads only at debug", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_LOG_LEVEL: "info" });
  const { token } = await relay.paired();
  const ids = await Promise.all(
    [
      relay.call("GET", "/app/me", { token }),
      relay.call("GET", "/nowhere"),
      relay.call("POST", "/app/unpair", { token }),
    ].map(async (call) => (await call).headers.get("x-request-id") ?? "none"),
  );
  expect(new Set(ids).size).toBe(3);
  await soon(() =>
    ids.map((id) => relay.logLines.some((line) => line.includes(`"${id}"`))),
  ).toEqual([false, true, true]);
});

test("[E4] X-Service-Client is sanitized, truncated and logged", async () => {
  await using relay = await RunningRelay.start();
  const client = `Looper/1.0 (Looper)\t${"x".repeat(200)}`;
  const { headers } = await relay.call("GET", "/healthz", {
    headers: { "x-service-client": client },
  });
  const id = headers.get("x-request-id") ?? "none";
  await soon(() => relay.logLines.find((line) => line.includes(id))).toBeDefined();
  const line = JSON.parse(relay.logLines.find((one) => one.includes(id)) ?? "{}");
  expect(line.client).toMatch(/^Looper\/1\.0 \(Looper\) x+$/);
  expect(line.client).toHaveLength(120);
});
