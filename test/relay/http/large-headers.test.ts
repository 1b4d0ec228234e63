import { expect, test } from "vitest";
import { MAX_HEADER_BYTES } from "../../../core/limits.ts";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

const cookies = (bytes: number) => `a=${"c".repeat(bytes - 2)}`;

/** A request for a page as a browser sends it. */
function visit(host: string, headers: string): string {
  return `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html,*/*;q=0.8\r\n${headers}\r\n\r\n`;
}

test("[E7] 20 KB of other programs' cookies disturb no page, call, socket's refusal or metrics", async () => {
  const pages = { home: async () => "<h1>Relay</h1>" };
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" }, { pages });
  const { token } = await relay.paired();
  const headers = { cookie: cookies(20_000) };
  expect(await relay.call("GET", "/", { headers })).toMatchObject({ status: 200 });
  expect(await relay.call("GET", "/app/me", { token, headers })).toMatchObject({ status: 200 });
  expect(await relay.call("GET", "/importer/socket", { headers })).toMatchObject({ status: 404 });
  expect((await fetch(relay.metricsUrl ?? "", { headers })).status).toBe(200);
});

test.for([
  ["de-AT,de;q=0.9,en;q=0.8", "Zu viele Cookies", "die Cookies für relay.local und"],
  ["pt-BR", "Too many cookies", "clear the cookies for relay.local and"],
] as const)(
  "[E7] more is a page in words for a browser that prefers %s",
  async ([languages, title, advice], { expect }) => {
    await using relay = await RunningRelay.start();
    const headers = `Accept-Language: ${languages}\r\nCookie: ${cookies(MAX_HEADER_BYTES)}`;
    const answer = await rawCall(relay.url, visit("relay.local:4700", headers));
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(answer).toContain("content-type: text/html; charset=utf-8\r\n");
    expect(answer).toContain(`<h1>${title}</h1>`);
    expect(answer).toContain(advice);
    expect(answer, "[C5]").toContain("Soundferry-Relay: 1");
  },
);

test("[E7] the page shows a host's name as text only", async () => {
  await using relay = await RunningRelay.start();
  const visited = visit("<img src=x>&amp;", `Cookie: ${cookies(MAX_HEADER_BYTES)}`);
  expect(await rawCall(relay.url, visited)).toContain("for &lt;img src=x&gt;&amp;amp; and");
});

test("[E7] the answer reaches a browser that still sends more cookies", async () => {
  await using relay = await RunningRelay.start();
  const whole = visit("localhost", `Cookie: ${cookies(8 * MAX_HEADER_BYTES)}`);
  expect(await rawCall(relay.url, whole)).toContain("Too many cookies");
});

test("[E7] a program gets the usual JSON", async () => {
  await using relay = await RunningRelay.start();
  const headers = `Accept: */*\r\nX: text/html\r\nCookie: ${cookies(MAX_HEADER_BYTES)}`;
  const answer = await rawCall(relay.url, `GET /app/me HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({
    error: "The request's headers are too large.",
    code: "HEADERS_TOO_LARGE",
  });
});
