import { globalAgent } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { NotificationSocket } from "../../../addon/relay/notification-socket.ts";
import type { SocketMessage } from "../../../core/protocol/importer-api.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { startStandIn } from "./linked-client.ts";
import type { StandInRelay } from "./stand-in-relay.ts";

function listenTo(relay: StandInRelay, { random = (): number => 0.5 } = {}) {
  const timers = new ManualTimers();
  const received: (SocketMessage | "connected")[] = [];
  const losses: unknown[] = [];
  let token = "sfi_known";
  relay.devices.set("sfi_known", { deviceId: "dev_1", deviceName: "Studio" });
  const socket = new NotificationSocket({
    prepare: async () => ({
      url: `${relay.url.replace("http", "ws")}/importer/socket`,
      headers: { authorization: `Bearer ${token}` },
      agent: globalAgent,
    }),
    onConnected: () => received.push("connected"),
    onNotification: (message) => received.push(message),
    onLost: (error) => losses.push(error),
    timers,
    random,
  });
  socket.connect();
  onTestFinished(() => socket.close());
  const useToken = (other: string) => {
    token = other;
  };
  return { socket, timers, received, losses, useToken };
}

describe("notifications", () => {
  test("[I3] connects with its token in a header and passes on only notifications", async () => {
    const relay = await startStandIn();
    const { received } = listenTo(relay);
    await until(() => received.length === 1);
    expect(relay.calls[0]?.headers.authorization).toBe("Bearer sfi_known");
    relay.notify("no json");
    relay.notify('["packages.changed"]');
    relay.notify('{"type":"drop.tables"}');
    relay.notify('{"type":"code.used"}');
    relay.notify({ type: "packages.changed" });
    relay.notify({ type: "code.used", app_name: "Looper" });
    relay.notify('{"type":"apps.changed","more":1}');
    await until(() => received.length >= 4);
    expect(received).toEqual([
      "connected",
      { type: "packages.changed" },
      { type: "code.used", app_name: "Looper" },
      { type: "apps.changed" },
    ]);
  });

  test("[I3] a message that is too long ends the connection", async () => {
    const relay = await startStandIn();
    const { received, losses } = listenTo(relay);
    await until(() => received.length === 1);
    relay.notify(`{"type":"packages.changed","more":"${"x".repeat(70_000)}"}`);
    await until(() => losses.length === 1);
    expect(received).toEqual(["connected"]);
  });
});

describe("reconnecting", () => {
  test("[I3] reconnects after a loss and reports each connect, so that everything is read again", async () => {
    const relay = await startStandIn();
    const { timers, received, losses } = listenTo(relay);
    await until(() => received.length === 1);
    await relay.stop();
    await until(() => losses.length === 1);
    await relay.restart();
    expect(received).toEqual(["connected"]);
    timers.advance(1000);
    await until(() => received.length === 2);
    expect(received).toEqual(["connected", "connected"]);
  });

  test("[I3] waits a random delay from 0.5 s to an upper bound that doubles from 1 s to 30 s", async () => {
    const relay = await startStandIn();
    await relay.stop();
    const spans: number[] = [];
    const draws = [0, 1, 0.5, 1, 1, 1, 1, 1, 0];
    const { timers, losses } = listenTo(relay, { random: () => draws[losses.length] ?? 0 });
    for (let round = 1; round <= draws.length; round += 1) {
      await until(() => losses.length === round);
      const [span = 0] = timers.remaining;
      spans.push(span);
      timers.advance(span);
    }
    expect(spans).toEqual([500, 2000, 2250, 8000, 16_000, 30_000, 30_000, 30_000, 500]);
    await relay.restart();
  });

  test("[I3] the first ping of a connection resets the backoff", async () => {
    const relay = await startStandIn();
    const { timers, received, losses } = listenTo(relay, { random: () => 0.999_999 });
    const loseAndReturn = async (count: number) => {
      for (const socket of relay.openSockets) socket.terminate();
      await until(() => losses.length === count);
      const [span = 0] = timers.remaining;
      timers.advance(span);
      await until(() => received.length === count + 1);
      return Math.round(span);
    };
    await until(() => received.length === 1);
    expect(await loseAndReturn(1)).toBe(1000);
    expect(await loseAndReturn(2)).toBe(2000);
    const before = timers.remaining[0];
    timers.advance(1);
    relay.ping();
    await until(() => timers.remaining[0] === before);
    expect(await loseAndReturn(3)).toBe(1000);
  });

  test("[I3] a connection without a ping for 75 s is lost; every ping restarts the timeout", async () => {
    const relay = await startStandIn();
    const { timers, received, losses } = listenTo(relay);
    await until(() => received.length === 1);
    timers.advance(74_999);
    relay.ping();
    await until(() => timers.remaining[0] === 75_000);
    timers.advance(74_999);
    expect(losses).toEqual([]);
    timers.advance(1);
    await until(() => losses.length === 1);
    timers.advance(1000);
    await until(() => received.length === 2);
  });

  test("[I3][A2] reports a refused token", async () => {
    const relay = await startStandIn();
    const { timers, received, losses, useToken } = listenTo(relay);
    await until(() => received.length === 1);
    useToken("sfi_unknown");
    for (const socket of relay.openSockets) socket.terminate();
    await until(() => losses.length === 1);
    timers.advance(30_000);
    await until(() => losses.length === 2);
    expect(losses[1]).toMatchObject({ name: "RelayError", status: 401 });
  });
});

describe("closing", () => {
  test("[I3] leaves no socket, no timer and no further attempt", async () => {
    const relay = await startStandIn();
    const { socket, timers, received, losses } = listenTo(relay);
    await until(() => received.length === 1);
    await socket.close();
    await until(() => relay.openSockets.length === 0);
    expect(timers.remaining).toEqual([]);
    expect(losses).toEqual([]);
  });

  test("[I3] also during the backoff and while connecting", async () => {
    const relay = await startStandIn();
    const connecting = listenTo(relay);
    await connecting.socket.close();
    await relay.stop();
    const waiting = listenTo(relay);
    await until(() => waiting.losses.length === 1);
    await waiting.socket.close();
    for (const { timers, received } of [connecting, waiting]) {
      timers.advance(60_000);
      expect(timers.remaining).toEqual([]);
      expect(received).toEqual([]);
    }
    await relay.restart();
  });
});
