import { createServer, get, globalAgent } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ignoreBody } from "../../../addon/relay/http-answer.ts";
import { NotificationSocket } from "../../../addon/relay/notification-socket.ts";
import { isPackagesPage } from "../../../core/importer/relay-answers.ts";
import { until } from "../../sim/until.ts";
import { ManualTimers } from "../manual-timers.ts";
import { linkTo, startStandIn } from "./linked-client.ts";

describe("an answer", () => {
  test.each([
    ["deep", "[".repeat(200_000) + "]".repeat(200_000)],
    ["of a million empty lists", `[${"[],".repeat(300_000)}0]`],
    ["of endless text", `"${"x".repeat(3_000_000)}"`],
  ])("[I7] that is %s is refused before it is read", async (_, value) => {
    const relay = await startStandIn();
    const text = `{"packages":[],"next":null,"apps":[],"more":${value}}`;
    relay.intercept = ({ path }) =>
      ["/importer/packages", "/importer/apps", "/importer/hello"].includes(path)
        ? { status: 200, body: Buffer.from(text) }
        : undefined;
    const { client } = linkTo(relay.url);
    await expect(client.hello()).rejects.toThrow(/^The answer from .* is too long\.$/);
    relay.intercept = ({ path }) =>
      ["/importer/packages", "/importer/apps"].includes(path)
        ? { status: 200, body: Buffer.from(text) }
        : undefined;
    await expect(client.packages()).rejects.toThrow(/^The answer from .* is too long\.$/);
    await expect(client.apps()).rejects.toThrow(/^The answer from .* is too long\.$/);
  });

  test.each([
    ["hello", "/importer/hello", { service: "soundferry", importer_api: Array(90_000).fill(1) }],
    [
      "hello",
      "/importer/hello",
      { service: "soundferry", importer_api: [2], instance: "x".repeat(9000) },
    ],
    ["register", "/importer/register", { device_id: "dev", importer_token: "x".repeat(9000) }],
    ["register", "/importer/register", { device_id: "dev", importer_token: "a\r\nb: c" }],
    ["apps", "/importer/apps", { apps: Array(2000).fill(app()) }],
    ["apps", "/importer/apps", { apps: [app({ app_name: "x".repeat(9000) })] }],
    ["pairingCode", "/importer/pairing-code", code({ code: "x".repeat(9000) })],
    ["pairingCode", "/importer/pairing-code", code({ expires_in: 1e300 })],
    [
      "pairingRequest",
      "/importer/pairing-request",
      { request: request({ app_name: "x".repeat(9000) }) },
    ],
    ["pairingRequest", "/importer/pairing-request", { request: request({ expires_in: 1e300 }) }],
  ] as const)("[I7] %s with what no relay sends is refused: %s", async (call, path, body) => {
    const relay = await startStandIn();
    relay.intercept = (asked) => (asked.path === path ? { status: 200, body } : undefined);
    const { client } = linkTo(relay.url);
    const act = call === "register" ? client.apps() : client[call]();
    await expect(act).rejects.toThrow(/not a Soundferry relay/);
  });

  test("[I7] a redirect's body without end isn't read on", async () => {
    let sent = 0;
    const server = createServer((_, response) => {
      const send = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(send);
        else response.once("drain", send);
      };
      send();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const ended = new Promise((resolve) => {
      get({ port, host: "127.0.0.1" }, (answer) => {
        answer.once("close", resolve);
        ignoreBody(answer);
      }).on("error", () => {});
    });
    await ended;
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });

  test.each([["headers"], ["body"]])(
    "[I7] whose %s come a byte at a time ends at its deadline",
    async (what) => {
      const server = createServer((_, response) => {
        const { socket } = response;
        if (what === "body") response.writeHead(200, { "soundferry-relay": "1" });
        else socket?.write("HTTP/1.1 200 OK\r\nx-more: ");
        // A byte in a hundred turns of the event loop.
        const drip = (turn: number): void => {
          if (socket === null || socket.destroyed) return;
          if (turn % 100 === 0 && what === "body") response.write(" ");
          else if (turn % 100 === 0) socket.write("y");
          setImmediate(drip, turn + 1);
        };
        drip(0);
      });
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const { client } = linkTo(`http://127.0.0.1:${port}`, { answerDeadlineMs: 100 });
      await expect(client.hello()).rejects.toThrow(/did not answer in time/);
    },
  );

  test("[I7] only a list of packages and a short cursor is a page", () => {
    expect(isPackagesPage({ packages: [], next: "x".repeat(1001) })).toBe(false);
    expect(isPackagesPage({ packages: [7], next: "x" })).toBe(true);
  });
});

test.each([["messages"], ["pings"]])(
  "[I7] a socket with %s without end is closed for a while",
  async (what) => {
    const relay = await startStandIn();
    const timers = new ManualTimers();
    relay.devices.set("sfi_known", { deviceId: "dev_1", deviceName: "Studio" });
    const losses: unknown[] = [];
    let received = 0;
    const socket = new NotificationSocket({
      prepare: async () => ({
        url: `${relay.url.replace("http", "ws")}/importer/socket`,
        headers: { authorization: "Bearer sfi_known" },
        agent: globalAgent,
      }),
      onConnected: () => {},
      onNotification: () => (received += 1),
      onLost: (error) => losses.push(error),
      timers,
      random: () => 1,
    });
    socket.connect();
    onTestFinished(() => socket.close());
    await until(() => relay.openSockets.length === 1);
    for (let sent = 0; sent < 20_000; sent += 1) {
      if (what === "pings") relay.ping();
      else relay.notify({ type: "packages.changed" });
    }
    await until(() => losses.length === 1);
    expect(String(losses[0])).toMatch(/sends too many notifications\. Tell its operator\.$/);
    expect(received).toBeLessThanOrEqual(6000);
    expect(timers.remaining.at(-1)).toBe(30_000);
  },
);

function app(more: object = {}) {
  const at = "2026-11-21T12:00:00.000Z";
  return { pairing_id: "pair_1", app_name: "Looper", paired_at: at, last_seen_at: at, ...more };
}

function code(more: object = {}) {
  return { code: "K7MQ2X", expires_at: "2026-11-21T12:00:00.000Z", expires_in: 600, ...more };
}

function request(more: object = {}) {
  return { request_id: "r", app_name: "Looper", network: "n", expires_in: 60, ...more };
}
