import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { answersAt } from "../../../addon/control/control-client.ts";
import {
  answerJson,
  ControlError,
  type Route,
  readBody,
} from "../../../addon/control/control-call.ts";
import { serveControl } from "../../../addon/control/control-server.ts";

const SECRET = "s3cret".repeat(7);

const ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/control/hello",
    handle: async (call) => answerJson(call, 200, { hello: true }),
  },
  {
    method: "DELETE",
    path: "/things/:id",
    handle: async (call) => answerJson(call, 200, { parts: call.parts }),
  },
  {
    method: "POST",
    path: "/echo",
    handle: async (call) => answerJson(call, 200, { body: await readBody(call) }),
  },
  {
    method: "POST",
    path: "/refuse",
    handle: () => Promise.reject(Object.assign(new Error("Not today."), { code: "NOT_TODAY" })),
  },
];

async function serve() {
  const server = await serveControl(ROUTES, { port: 0, secret: SECRET });
  onTestFinished(() => server.close());
  return server;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function ask(port: number, asked: Asked = {}) {
  const { method = "GET", path = "/control/hello", headers = {}, body } = asked;
  const calling = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    headers: { "x-soundferry-secret": SECRET, ...headers },
  });
  calling.end(body);
  const [answer] = await once(calling, "response");
  let text = "";
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode, headers: answer.headers, json: JSON.parse(text) };
}

describe("who is let in", () => {
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

  test("[R3] no web page but one of the server's own", async () => {
    const { port } = await serve();
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1:1",
      "http://localhost",
    ]) {
      expect(await ask(port, { headers: { origin } })).toMatchObject({ status: 403 });
    }
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const answer = await ask(port, { headers: { origin } });
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
    const preflight = await ask(port, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example" },
    });
    expect(preflight.status).toBe(403);
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

describe("what is answered", () => {
  test("the parts of a path as they were meant, the body as it came", async () => {
    const { port } = await serve();
    const removed = await ask(port, { method: "DELETE", path: "/things/a%2Fb%20c?x=1" });
    expect(removed.json).toEqual({ parts: ["a/b c"] });
    const body = JSON.stringify({ name: "Kick" });
    expect((await ask(port, { method: "POST", path: "/echo", body })).json).toEqual({
      body: { name: "Kick" },
    });
    const nothing = await ask(port, { method: "POST", path: "/echo", body: "no json" });
    expect(nothing.json).toEqual({});
  });

  test("404, 400 and 413 in JSON; an error of the importer with its sentence and code", async () => {
    const { port } = await serve();
    expect(await ask(port, { path: "/nothing" })).toMatchObject({ status: 404 });
    expect(await ask(port, { method: "POST" })).toMatchObject({ status: 404 });
    expect(await ask(port, { method: "DELETE", path: "/things/%ff" })).toMatchObject({
      status: 400,
    });
    const body = `"${"x".repeat(70_000)}"`;
    expect(await ask(port, { method: "POST", path: "/echo", body })).toMatchObject({ status: 413 });
    expect(await ask(port, { method: "POST", path: "/refuse" })).toMatchObject({
      status: 500,
      json: { error: "Not today.", code: "NOT_TODAY" },
    });
  });

  test("a port that is taken is told in words", async () => {
    const { port } = await serve();
    const second = serveControl(ROUTES, { port, secret: SECRET });
    await expect(second).rejects.toBeInstanceOf(ControlError);
    await expect(second).rejects.toThrow(/Port \d+ is taken .* SOUNDFERRY_PANEL_PORT/);
  });
});

async function listenWith(answer: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer({}, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("whether an importer is there", () => {
  test("[R3] yes, where the secret opens", async () => {
    const { port } = await serve();
    expect(await answersAt(port, SECRET)).toBe(true);
    expect(await answersAt(port, "another")).toBe(false);
  });

  test("[R3] no, where nobody listens or another program does; yes, where somebody is too busy to say", async () => {
    const server = await serve();
    await server.close();
    expect(await answersAt(server.port, SECRET)).toBe(false);
    const other = await listenWith((_, response) => response.writeHead(404).end("no"));
    expect(await answersAt(other, SECRET)).toBe(false);
    const busy = await listenWith(() => {});
    expect(await answersAt(busy, SECRET, 50)).toBe(true);
  });
});
