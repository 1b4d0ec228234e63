import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { answersAt } from "../../../addon/control/control-client.ts";
import { answerJson } from "../../../addon/control/control-answer.ts";
import { ControlError, type Route, readBody } from "../../../addon/control/control-call.ts";
import { serveControl } from "../../../addon/control/control-server.ts";
import { MAX_HEADER_BYTES } from "../../../core/limits.ts";
import { rawCall } from "../../relay/http/raw-call.ts";
import { ask, SECRET } from "./ask.ts";

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

describe("what is answered", () => {
  test("passes decoded path parameters and the body to the route", async () => {
    const { port } = await serve();
    const removed = await ask(port, { method: "DELETE", path: "/things/a%2Fb%20c?x=1" });
    expect(removed.json).toEqual({ parts: ["a/b c"] });
    const body = { name: "Kick" };
    expect((await ask(port, { method: "POST", path: "/echo", body })).json).toEqual({ body });
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

  test("[N2] the sentence of an error without the paths in it", async () => {
    const error = new Error("Soundferry may not write to /home/ana/Music/Kit.wav. Choose another.");
    const handle = () => Promise.reject(error);
    const routes = [{ method: "GET", path: "/refuse", handle }];
    const server = await serveControl(routes, { port: 0, secret: SECRET });
    onTestFinished(() => server.close());
    expect((await ask(server.port, { path: "/refuse" })).json).toEqual({
      error: "Soundferry may not write to Kit.wav. Choose another.",
    });
  });

  test("[E7] 20 KB of other programs' cookies disturb nothing; more is a page, else JSON", async () => {
    const { port } = await serve();
    const visit = (accept: string, bytes: number) =>
      rawCall(
        `http://127.0.0.1:${port}`,
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: ${accept}\r\nCookie: a=${"c".repeat(bytes)}\r\n\r\n`,
      );
    expect(await visit("text/html", 20_000)).toMatch(/^HTTP\/1.1 403 /);
    const page = await visit("text/html", 4 * MAX_HEADER_BYTES);
    expect(page).toMatch(
      /^HTTP\/1.1 431 [^]*content-type: text\/html[^]*clear the cookies for 127\.0\.0\.1/,
    );
    expect(await visit("*/*", MAX_HEADER_BYTES)).toMatch(/^HTTP\/1.1 431 [^]*\{"error":".+"\}$/);
    expect(await rawCall(`http://127.0.0.1:${port}`, "NONSENSE\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });

  test("falls back to a free port if allowed", async () => {
    const { port } = await serve();
    const second = await serveControl(ROUTES, { port, orAnyPort: true, secret: SECRET });
    onTestFinished(() => second.close());
    expect(second.port).not.toBe(port);
    expect(await ask(second.port)).toMatchObject({ status: 200 });
  });

  test("a port in use throws a sentence", async () => {
    const { port } = await serve();
    const second = serveControl(ROUTES, { port, secret: SECRET });
    await expect(second).rejects.toBeInstanceOf(ControlError);
    await expect(second).rejects.toThrow(/Port \d+ is in use .* SOUNDFERRY_PANEL_PORT/);
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
