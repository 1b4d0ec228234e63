import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { CONNECTIONS_PER_ADDRESS } from "../../../core/quotas/budgets.ts";
import { strangerAt } from "../../../relay/domain/caller.ts";
import { messagesOf, openSocket } from "./open-socket.ts";
import { rawCall } from "./raw-call.ts";
import { slowPut } from "./slow-put.ts";
import { RunningRelay } from "../running-relay.ts";
import { committed, packageOf, put } from "../../contracts/relay/records/sample-records.ts";
import { smallWav } from "../../wav-bytes.ts";
import { until } from "../../sim/until.ts";
import { ManualTimers } from "../../addon/manual-timers.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const PROXIED = { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" };
const KIB = 1024;

/** A connection on which nothing was sent, and whether it has ended. */
async function quietConnection(relay: RunningRelay) {
  const socket = connect(Number(new URL(relay.url).port), "127.0.0.1");
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  return socket;
}

/** A call whose body is announced and never complete. */
async function heldBody(
  relay: RunningRelay,
  { token, from, bytes }: { readonly token: string; readonly from: string; readonly bytes: number },
) {
  const socket = await quietConnection(relay);
  let answer = "";
  socket.on("data", (piece) => (answer += String(piece)));
  socket.write(
    `POST /packages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `X-Forwarded-For: ${from}\r\nContent-Length: ${bytes + 1}\r\n\r\n${"x".repeat(bytes)}`,
  );
  return { socket, answer: () => answer };
}

const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === "open";

describe("connections", () => {
  test("[L6] that never ask anything make room for those who do, and don't keep anybody out", async () => {
    const timers = new ManualTimers();
    const settings = { ...PROXIED, SOUNDFERRY_MAX_CONNECTIONS: "20" };
    await using relay = await RunningRelay.start(settings, { timers });
    const idle = await Promise.all(Array.from({ length: 20 }, () => quietConnection(relay)));
    const connections = relay.relay.context.admission.budget("connections");
    await soon(() => connections.used).toBe(20);
    // None of them has been silent for long yet: a new one is refused in words.
    const refused = await rawCall(relay.url, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(refused).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 2[^]*"code":"BUSY"/i);
    timers.advance(2001);
    for (let call = 0; call < 5; call += 1) {
      const answer = await rawCall(
        relay.url,
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      );
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    }
    expect(idle.filter(isOpen)).toHaveLength(19);
    for (const socket of idle) socket.destroy();
    await soon(() => connections.used).toBe(0);
  });

  test("[E1][E2][C1][C3] that are refused get an answer like any other", async () => {
    await using relay = await RunningRelay.start();
    const { admission } = relay.relay.context;
    using _all = admission.take("connections", strangerAt("127.0.0.1"), CONNECTIONS_PER_ADDRESS);
    const refused = (path: string, method = "GET") =>
      rawCall(relay.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await refused("/app/me", "HEAD")).toMatch(/^HTTP\/1.1 429 [^]*\r\n\r\n$/);
    const ofPages = await refused("/app/me");
    const ofImporters = await refused("//%69mporter/apps");
    for (const answer of [ofPages, ofImporters])
      expect(answer).toMatch(/^HTTP\/1.1 429 [^]*x-request-id: \S+\r\n[^]*"TOO_MUCH_AT_ONCE"/i);
    expect(ofPages).toMatch(/access-control-allow-origin: \*/i);
    expect(ofImporters).not.toMatch(/access-control/i);
  });

  test("[L6] whose reader takes nothing of an answer are ended, and the memory is free again", async () => {
    await using relay = await RunningRelay.start({}, { unreadMs: 300 });
    const { admission } = relay.relay.context;
    const socket = await quietConnection(relay);
    socket.pause();
    // Far more than the system's buffers hold.
    const calls = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    socket.write(calls);
    await soon(() => admission.budget("answers").used).toBeGreaterThan(0);
    await soon(() => admission.budget("connections").used).toBe(0);
    await soon(() => admission.budget("answers").used).toBe(0);
    socket.destroy();
  });

  test("[L6] may ask in a row, and end when answers that wait take more than their share", async () => {
    await using relay = await RunningRelay.start({
      SOUNDFERRY_MAX_BUFFER_BYTES: String(1024 * KIB),
    });
    const { admission } = relay.relay.context;
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const wait =
      `GET /packages/${id}/status?wait=30&known=waiting HTTP/1.1\r\nHost: localhost\r\n` +
      `Authorization: Bearer ${token}\r\n\r\n`;
    const health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    expect((await rawCall(relay.url, health.repeat(99) + last)).match(/"ok"/g)).toHaveLength(100);

    const socket = await quietConnection(relay);
    socket.write(wait + health.repeat(50));
    await soon(() => admission.budget("answers").used).toBeGreaterThan(50 * 4 * KIB);
    expect(admission.budget("answers").used).toBeLessThan(50 * 5 * KIB);
    socket.write(health.repeat(500));
    await soon(() => isOpen(socket)).toBe(false);
    await soon(() => admission.budget("answers").used).toBe(0);
  });

  test("[L6] whose caller hangs up hold no place among the long-polls", async () => {
    await using relay = await RunningRelay.start();
    const polls = relay.relay.context.admission.budget("polls");
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const socket = await quietConnection(relay);
    socket.write(
      `GET /packages/${id}/status?wait=30&known=waiting HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${token}\r\n\r\n`,
    );
    await soon(() => polls.used).toBe(1);
    socket.destroy();
    // Long before its 30 seconds are over.
    await soon(() => polls.used).toBe(0);
  });

  test("[L6] on which nobody reads the importer's list count what they hold of it", async () => {
    await using relay = await RunningRelay.start();
    const { admission } = relay.relay.context;
    const { deviceId, token } = await relay.register();
    const whole = { deviceId, sizes: Array<number>(32).fill(1) };
    for (let sent = 0; sent < 20; sent += 1)
      await put(relay.relay.context, committed(packageOf(`pkg_${sent}`, whole), relay.clock.now()));
    const path = "/importer/packages?after=";
    const { text } = await relay.call("GET", path, { token });
    expect(text.length).toBeGreaterThan(64 * KIB);
    const socket = await quietConnection(relay);
    socket.pause();
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    socket.write(head.repeat(300));
    // More than the calls themselves: what each answer holds of its page.
    await soon(() => admission.budget("answers").used).toBeGreaterThan(300 * 10 * KIB);
    expect(admission.budget("answers").used).toBeLessThanOrEqual(16 * 1024 * KIB);
    socket.destroy();
    await soon(() => admission.budget("answers").used).toBe(0);
  });

  test("[L6] whose upgrade was refused don't stay, though the other side keeps them open", async () => {
    await using relay = await RunningRelay.start();
    const connections = relay.relay.context.admission.budget("connections");
    const { hostname, port } = new URL(relay.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on("error", () => {}).resume();
    socket.write(
      "GET /importer/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    await once(socket, "end");
    await soon(() => connections.used).toBe(0);
    socket.destroy();
  });

  test("[L6] of one address have a share, and others go on", async () => {
    await using relay = await RunningRelay.start();
    const { admission } = relay.relay.context;
    const all = await Promise.all(Array.from({ length: 540 }, () => quietConnection(relay)));
    await soon(() => admission.budget("connections").used).toBe(512);
    const answer = await rawCall(relay.url, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(answer).toMatch(/^(HTTP\/1.1 429 [^]*TOO_MUCH_AT_ONCE|$)/);
    for (const socket of all) socket.destroy();
    await soon(() => admission.budget("connections").used).toBe(0);
    expect((await relay.call("GET", "/healthz")).status).toBe(200);
  });
});

describe("bodies", () => {
  test("[L6] held one byte short take no more than their budget, and end for new ones", async () => {
    const timers = new ManualTimers();
    const settings = { ...PROXIED, SOUNDFERRY_MAX_BUFFER_BYTES: String(1024 * KIB) };
    await using relay = await RunningRelay.start(settings, { timers });
    const { token } = await relay.paired();
    const bodies = relay.relay.context.admission.budget("bodies");
    const hold = (index: number) =>
      heldBody(relay, { token, from: `203.0.${index}.1`, bytes: 90 * KIB });
    const held: Awaited<ReturnType<typeof hold>>[] = [];
    for (let index = 0; index < 12; index += 1) held.push(await hold(index));
    // Three quarters for strangers: eight bodies, and the ninth as far as it fits.
    await soon(() => held.filter(({ answer }) => answer() !== "").length).toBe(4);
    for (const { answer } of held.filter((each) => each.answer() !== "")) {
      expect(answer()).toMatch(/^HTTP\/1.1 503 [^]*"code":"BUSY"/);
    }
    expect(bodies.used).toBeLessThanOrEqual(768 * KIB);
    timers.advance(2001);
    const large = manifestOf(["a.wav"], { pad: "x".repeat(200 * KIB) });
    const announced = await relay.call("POST", "/packages", { token, body: large });
    expect(announced.status).toBe(201);
    const ended = held.filter(({ answer }) => answer() !== "");
    expect(ended.length).toBeGreaterThan(4);
    expect(ended.length).toBeLessThan(9);
    for (const { socket } of held) socket.destroy();
    await soon(() => bodies.used).toBe(0);
  });
});

describe("sockets", () => {
  test("[L6] of one computer are eight: a further one ends the oldest, and each counts as a call", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_CALLS_PER_MINUTE: "30" });
    const importer = await relay.register();
    const sockets = [];
    for (let index = 0; index < 9; index += 1)
      sockets.push(await openSocket(relay, importer.token));
    const [first, second, ...others] = sockets;
    if (first === undefined || second === undefined) throw new Error("Nine were opened.");
    if (first.readyState !== first.CLOSED) await once(first, "close");
    const heard = [second, ...others].map(messagesOf);
    await relay.pair(importer);
    await soon(() => heard.every((messages) => messages.length > 0)).toBe(true);
    expect(relay.relay.context.admission.budget("sockets").used).toBe(8);

    const tries = await Promise.allSettled(
      Array.from({ length: 40 }, () => openSocket(relay, importer.token)),
    );
    const opened = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(opened.length).toBeLessThanOrEqual(20);
    expect(relay.relay.context.admission.budget("sockets").used).toBeLessThanOrEqual(8);
    const next = await relay.call("GET", "/importer/apps", { token: importer.token });
    expect([next.status, next.json.code]).toEqual([429, "CALLS_TOO_MANY"]);
    for (const each of [...sockets, ...opened]) each.terminate();
    await soon(() => relay.relay.context.admission.budget("sockets").used).toBe(0);
  });

  test("[L6] that talk all the time are ended", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.register();
    for (const talk of ["ping", "pong", "send"] as const) {
      const socket = await openSocket(relay, token);
      const closed = once(socket, "close");
      for (let index = 0; index < 100; index += 1) {
        socket[talk]("a");
        if (talk === "send") socket.pong();
      }
      await closed;
    }
    expect((await relay.call("GET", "/healthz")).status).toBe(200);
  });
});

describe("uploads", () => {
  test("[U5] that trickle are cut off with 408, though a byte arrives all the time", async () => {
    const timers = new ManualTimers();
    await using relay = await RunningRelay.start({ SOUNDFERRY_UPLOAD_IDLE_S: "1" }, { timers });
    const { token } = await relay.paired();
    const wav = smallWav();
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const call = slowPut(relay, upload["a.wav"] ?? "", token, { "content-length": wav.length });
    for (let sent = 0; sent < 10; sent += 1) {
      // The relay has taken the byte before, and waits for what is left of the second.
      await until(() => timers.remaining[0] === 1000 - sent * 100);
      timers.advance(100);
      call.write(wav.subarray(sent, sent + 1));
    }
    const { status, json } = await call.answer;
    expect([status, json.code]).toEqual([408, "UPLOAD_STALLED"]);
    call.abort();
  });
});
