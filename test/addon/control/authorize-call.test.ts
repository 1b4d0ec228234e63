import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson } from "../../../addon/control/control-answer.ts";
import type { ControlCall, Route } from "../../../addon/control/control-call.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { ask, askRaw, SECRET } from "./ask.ts";

const ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/",
    isOpen: true,
    handle: async (call) => answerJson(call, 200, { page: true }),
  },
  {
    method: "GET",
    path: "/control/hello",
    handle: async (call) => answerJson(call, 200, { hello: true }),
  },
  {
    method: "POST",
    path: "/refuse",
    handle: () => Promise.reject(new Error("Not today.")),
  },
];

async function serve() {
  const server = await serveControl(ROUTES, { port: 0, secret: SECRET });
  onTestFinished(() => server.close());
  return server;
}

describe("authorized calls", () => {
  test("[R3] a program that shows the secret, by either name of this computer", async () => {
    const { port } = await serve();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect(await ask(port, { headers: { host } })).toMatchObject({ status: 200 });
    }
  });

  test.each(["", "wrong", SECRET.slice(1), `${SECRET}x`])(
    "[R3] nobody who shows another secret (“%s”)",
    async (shown) => {
      const { port } = await serve();
      const answer = await ask(port, { headers: { "x-soundferry-secret": shown } });
      expect(answer).toMatchObject({ status: 403, json: { error: expect.any(String) } });
    },
  );

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:4701"])(
    "[R3] nobody who was led here under another name (%s)",
    async (host) => {
      const { port } = await serve();
      expect(await ask(port, { headers: { host } })).toMatchObject({ status: 403 });
    },
  );

  test("[R3][N1] no web page but one of the server's own", async () => {
    const { port } = await serve();
    for (const origin of [
      "https://evil.example",
      "http://127.0.0.1:1",
      "http://localhost",
      "http://localhost.evil.example",
      `https://127.0.0.1:${port}`,
      "file://",
      "",
    ]) {
      expect(await ask(port, { headers: { origin } })).toMatchObject({ status: 403 });
      expect(await ask(port, { path: "/", headers: { origin } })).toMatchObject({ status: 403 });
    }
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const answer = await ask(port, { headers: { origin } });
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("[N1] the page in Live's dialog, which has no origin, where it shows the secret; it can read errors too", async () => {
    const { port } = await serve();
    const readable = { "access-control-allow-origin": "null", vary: "Origin" };
    const allowed = await ask(port, { headers: { origin: "null" } });
    expect(allowed).toMatchObject({ status: 200, headers: readable });
    const refused = { method: "POST", path: "/refuse", headers: { origin: "null" } };
    expect(await ask(port, refused)).toMatchObject({ status: 500, headers: readable });
    const nowhere = { path: "/nothing", headers: { origin: "null" } };
    expect(await ask(port, nowhere)).toMatchObject({ status: 404, headers: readable });
    for (const shown of [undefined, "wrong"]) {
      const headers = { origin: "null", "x-soundferry-secret": shown };
      const stranger = await ask(port, { headers });
      expect(stranger.status).toBe(403);
      expect(stranger.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("[N1] a browser that asks first hears yes for that page only, and learns nothing", async () => {
    const { port } = await serve();
    const question = {
      "x-soundferry-secret": undefined,
      "access-control-request-method": "DELETE",
    };
    const preflight = (headers: Record<string, string>, path = "/control/hello") =>
      ask(port, { method: "OPTIONS", path, headers: { ...question, ...headers } });
    const network = { "access-control-request-private-network": "true" };
    const yes = await preflight({ origin: "null", ...network });
    expect(yes.status).toBe(204);
    expect(yes.headers).toMatchObject({
      "access-control-allow-origin": "null",
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      "access-control-allow-headers": "x-soundferry-secret, content-type",
      "access-control-allow-private-network": "true",
      vary: "Origin",
    });
    const { date: _, ...same } = yes.headers;
    expect((await preflight({ origin: "null", ...network }, "/nothing")).headers).toMatchObject(
      same,
    );
    for (const origin of ["https://evil.example", `http://127.0.0.1:1`]) {
      const no = await preflight({ origin, ...network });
      expect(no.status).toBe(403);
      expect(Object.keys(no.headers).join(" ")).not.toContain("access-control");
    }
    const elsewhere = await preflight({ origin: "null", host: "evil.example" });
    expect(elsewhere.status).toBe(403);
  });

  test("[N1] anybody to what is open, by this very host's name", async () => {
    const { port } = await serve();
    const nothing = { "x-soundferry-secret": undefined };
    const page = await ask(port, { path: "/", headers: nothing });
    expect(page).toMatchObject({ status: 200, json: { page: true } });
    const crossSite = { ...nothing, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(await ask(port, { path: "/", headers: crossSite })).toMatchObject({ status: 200 });
    for (const method of ["POST", "PUT", "HEAD", "OPTIONS"]) {
      const other = await ask(port, { method, path: "/", headers: nothing });
      expect(other.status).toBe(403);
    }
    const named = { ...nothing, host: `evil.example:${port}` };
    expect(await ask(port, { path: "/", headers: named })).toMatchObject({ status: 403 });
  });

  test("[R3] nobody from another computer: it listens on the loopback only", async () => {
    const { port } = await serve();
    const other = connect({ port, host: "127.0.0.1" });
    await once(other, "connect");
    expect(other.remoteAddress).toBe("127.0.0.1");
    other.destroy();
    const outside = connect({ port, host: "127.0.0.2" });
    const [error] = await once(outside, "error");
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("attacks", () => {
  /** A server that counts how often one of its routes was asked. */
  async function countCalls() {
    let calls = 0;
    const handle = async (call: ControlCall) => answerJson(call, 200, { calls: ++calls });
    const routes = [
      { method: "GET", path: "/control/hello", handle },
      { method: "POST", path: "/echo", handle },
    ];
    const server = await serveControl(routes, { port: 0, secret: SECRET });
    onTestFinished(() => server.close());
    return { port: server.port, calls: () => calls };
  }

  test("[N1] with method, path, secret or upgrade gets nowhere", async () => {
    const { port, calls } = await countCalls();
    const host = `Host: 127.0.0.1:${port}`;
    const shown = `X-Soundferry-Secret: ${SECRET}`;
    const tricks: readonly (readonly [string, ...string[]])[] = [
      ["GET /control/hello HTTP/1.1", host],
      ["get /control/hello HTTP/1.1", host, shown],
      ["HEAD /control/hello HTTP/1.1", host, shown],
      ["TRACE /control/hello HTTP/1.1", host, shown],
      ["CONNECT 127.0.0.1:80 HTTP/1.1", host, shown],
      ["OPTIONS * HTTP/1.1", host, "Origin: null"],
      [`GET http://127.0.0.1:${port}/control/hello HTTP/1.1`, host],
      [`GET http://127.0.0.1:${port}/control/hello HTTP/1.1`, "Host: evil.example", shown],
      [`GET /control/hello?x-soundferry-secret=${SECRET} HTTP/1.1`, host],
      [`GET /control/hello#${SECRET} HTTP/1.1`, host],
      ["GET /control/hello HTTP/1.1", host, `Cookie: x-soundferry-secret=${SECRET}`],
      ["GET /control/hello HTTP/1.1", host, `Authorization: Bearer ${SECRET}`],
      ["GET /control/hello HTTP/1.1", host, shown, shown],
      ["GET /control/hello HTTP/1.1", host, "X-Soundferry-Secret:"],
      ["GET /control/hello HTTP/1.1", "Host: evil.example", host, shown],
      ["GET /control/hello HTTP/1.1", shown],
      ["GET /control/hello HTTP/1.0", shown],
      ["GET //control/hello HTTP/1.1", host, shown],
      ["GET /control/../control/hello HTTP/1.1", host, shown],
      ["GET /control%2fhello HTTP/1.1", host, shown],
      ["GET /control/hello/ HTTP/1.1", host, shown],
      ["GET /CONTROL/HELLO HTTP/1.1", host, shown],
      ["GET \\control\\hello HTTP/1.1", host, shown],
      ["GET /control/hello HTTP/1.1", host, "Connection: Upgrade", "Upgrade: websocket"],
      ["GET /control/hello HTTP/1.1", host, shown, `X-Long: ${"x".repeat(100_000)}`],
    ];
    for (const [line, ...headers] of tricks) {
      const answer = await askRaw(port, `${[line, ...headers].join("\r\n")}\r\n\r\n`);
      expect.soft(answer.split("\r\n", 1)[0], line).toMatch(/^(HTTP\/1\.1 (4\d\d|204) .*)?$/);
    }
    expect(calls()).toBe(0);
  });

  test("[N1] a form, a beacon or an image of another page is refused before its body is read", async () => {
    const { port, calls } = await countCalls();
    const simple = {
      origin: "https://evil.example",
      "content-type": "text/plain",
      "x-soundferry-secret": undefined,
    };
    const body = { name: "Kick" };
    const form = await ask(port, { method: "POST", path: "/echo", headers: simple, body });
    expect(form.status).toBe(403);
    const image = { "sec-fetch-mode": "no-cors", "x-soundferry-secret": undefined };
    expect((await ask(port, { headers: image })).status).toBe(403);
    expect(calls()).toBe(0);
  });
});
