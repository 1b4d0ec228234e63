import { describe as suite, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { openSocket } from "./open-socket.ts";
import { longWav, sendLong } from "./send-long.ts";
import { slowGet } from "./slow-get.ts";
import { slowPut } from "./slow-put.ts";
import { ManualTimers } from "../../addon/manual-timers.ts";
import { soon } from "../../sim/soon.ts";
import { until } from "../../sim/until.ts";
import { manifestOf } from "../../manifest-of.ts";

const LOOK_MS = 25;
/** The log's minute (rule E8). */
const LOG_MS = 60_000;

/** The hold of a relay that waits for the next call of a package: in these tests it is too long to end. */
const HOLD = { stopHoldMs: 600_000 };

/** A relay whose stop takes the time that the test lets pass. */
async function startHeld(settings: Record<string, string> = {}, { stopHoldMs } = HOLD) {
  const timers = new ManualTimers();
  const relay = await RunningRelay.start(settings, { stopHoldMs, timers });
  /** Begins to drain. */
  const drain = () => {
    const now = new AbortController();
    const over = track(relay.relay.drain(now.signal));
    return {
      now: () => now.abort(),
      isOver: over.isSettled,
      /** Checks whether it still drains after a look at that time. */
      isPendingAfter: async (ms = LOOK_MS) => {
        timers.advance(ms);
        // What the look ends has ended before a later call is answered.
        await relay.call("GET", "/healthz");
        return !over.isSettled();
      },
      /** Resolves at one of the next looks. */
      ends: () => until(() => over.isSettled() || (timers.advance(LOOK_MS), false)),
    };
  };
  return { relay, timers, drain, [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]() };
}

function track(promise: Promise<unknown>) {
  let isSettled = false;
  const settle = () => (isSettled = true);
  promise.then(settle, settle);
  return { isSettled: () => isSettled };
}

const usedOf = (relay: RunningRelay, resource: "uploads" | "polls") =>
  soon(() => relay.relay.context.admission.budget(resource).used);

suite.concurrent("a relay that is being replaced", () => {
  test("[K11] new work is refused at once, and /readyz says why, while what was begun goes on", async () => {
    await using held = await startHeld();
    const { relay, drain } = held;
    const { importer, token } = await relay.paired();
    const { json: code } = await relay.call("POST", "/importer/pairing-code", {
      token: importer.token,
    });
    const waiting = await relay.send(token);
    const { package_id: id, upload } = await relay.announce(token, manifestOf(["a.wav", "b.wav"]));
    const put = slowPut(relay, upload["a.wav"] ?? "", token, {
      "content-length": smallWav().byteLength,
    });
    put.write(smallWav().subarray(0, 50));
    await usedOf(relay, "uploads").toBe(1);

    const draining = drain();
    const ready = await relay.call("GET", "/readyz");
    expect(ready).toMatchObject({ status: 503, json: { code: "STOPPING", reason: "draining" } });
    expect((await relay.call("GET", "/healthz")).status).toBe(200);
    const claim = { code: code.code, app_name: "Looper", app_id: "2" };
    for (const [path, options] of [
      ["/packages", { token, body: manifestOf(["kick.wav"]) }],
      ["/pair/claim", { body: claim }],
      ["/importer/register", { body: {} }],
    ] as const) {
      const refused = await relay.call("POST", path, options);
      expect(refused).toMatchObject({ status: 503, json: { code: "STOPPING" } });
      expect(refused.headers.get("retry-after")).toBe("2");
      expect(refused.headers.get("connection")).toBe("close");
    }
    await expect(openSocket(relay, importer.token)).rejects.toThrow("503");

    // An import: take, download, report.
    const ofImporter = { token: importer.token };
    const path = `/importer/packages/${waiting}`;
    expect((await relay.call("POST", `${path}/take`, ofImporter)).status).toBe(200);
    expect((await relay.call("GET", `${path}/files/kick.wav`, ofImporter)).status).toBe(200);
    expect(await draining.isPendingAfter()).toBe(true);
    const results = { results: { "1": { status: "imported" } } };
    const report = await relay.call("POST", `${path}/results`, { ...ofImporter, body: results });
    expect(report.status).toBe(200);
    expect((await relay.status(token, waiting)).status).toBe("imported");

    // The announced package: its running upload, its next file, its commit.
    put.write(smallWav().subarray(50));
    put.end();
    expect((await put.answer).status).toBe(200);
    expect(await draining.isPendingAfter()).toBe(true);
    const next = await relay.call("PUT", upload["b.wav"] ?? "", { token, body: smallWav() });
    expect(next.status).toBe(200);
    expect(await draining.isPendingAfter()).toBe(true);
    expect((await relay.call("POST", `/packages/${id}/commit`, { token })).status).toBe(200);
    await draining.ends();
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
  });

  test("[K11] a relay with nothing to serve is drained at once, unless it has to serve for a while", async () => {
    await using idle = await startHeld();
    await idle.relay.relay.drain();
    await using slow = await startHeld({ SOUNDFERRY_STOP_DELAY_S: "600" });
    const draining = slow.drain();
    expect(await draining.isPendingAfter(599_999)).toBe(true);
    expect((await slow.relay.call("GET", "/readyz")).status).toBe(503);
    draining.now();
    expect(await draining.isPendingAfter()).toBe(false);
  });

  test("[K11] the grace ends what is still running, and disposing then waits for nobody", async () => {
    await using held = await startHeld({ SOUNDFERRY_STOP_GRACE_S: "1" });
    const { relay, drain } = held;
    const { importer, token } = await relay.paired();
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const put = slowPut(relay, upload["a.wav"] ?? "", token);
    put.write(smallWav().subarray(0, 50));
    const socket = await openSocket(relay, importer.token);
    // It never answers the closing.
    socket.pause();
    await usedOf(relay, "uploads").toBe(1);
    const draining = drain();
    expect(await draining.isPendingAfter(999)).toBe(true);
    expect(await draining.isPendingAfter()).toBe(false);
    const answer = put.answer.then(
      () => "answered",
      () => "cut off",
    );
    await relay.stop();
    expect(await answer).toBe("cut off");
    socket.terminate();
  });

  test("[K11] long-polls are answered with the state, and asked to come back", async () => {
    await using held = await startHeld({}, { stopHoldMs: 600 });
    const { relay, timers, drain } = held;
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const put = slowPut(relay, upload["a.wav"] ?? "", token);
    await usedOf(relay, "uploads").toBe(1);
    const poll = () => relay.call("GET", `/packages/${id}/status?wait=30&known=waiting`, { token });
    const before = poll();
    await usedOf(relay, "polls").toBe(1);
    const draining = drain();
    const during = poll();
    await usedOf(relay, "polls").toBe(2);
    expect(await draining.isPendingAfter(599)).toBe(true);
    await usedOf(relay, "polls").toBe(2);
    timers.advance(1);
    for (const answer of await Promise.all([before, during])) {
      expect(answer).toMatchObject({ status: 200, json: { status: "waiting" } });
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.headers.get("connection")).toBe("close");
    }
    // The upload still runs.
    expect(await draining.isPendingAfter()).toBe(true);
    put.abort();
  });

  test("[K11] sockets are closed with 1012, each at its own time, and the relay waits for that", async () => {
    await using held = await startHeld({}, { stopHoldMs: 600 });
    const { relay, timers, drain } = held;
    const importer = await relay.register();
    const codes: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const socket = await openSocket(relay, importer.token);
      socket.once("close", (code) => codes.push(code));
    }
    const draining = drain();
    const closings = timers.remaining.filter((ms) => ![LOOK_MS, LOG_MS, 600].includes(ms));
    expect(new Set(closings).size).toBe(3);
    expect(closings.at(-1)).toBeLessThan(600);
    timers.advance(closings[0] ?? 0);
    await soon(() => codes).toEqual([1012]);
    expect(draining.isOver()).toBe(false);
    timers.advance(600);
    await soon(() => codes).toEqual([1012, 1012, 1012]);
    await draining.ends();
  });

  test("[K11] a running download is awaited", async () => {
    await using held = await startHeld();
    const { relay, drain } = held;
    const { importer, token } = await relay.paired();
    const id = await sendLong(relay, token);
    const got = await slowGet(relay, `/importer/packages/${id}/files/long.wav`, importer.token);
    const draining = drain();
    expect(await draining.isPendingAfter()).toBe(true);
    expect(await got.rest()).toEqual({ isWhole: true, sizeBytes: longWav().length });
  });

  test("[K11] a package that was just announced is awaited until it is withdrawn", async () => {
    await using held = await startHeld();
    const { relay, drain } = held;
    const { token } = await relay.paired();
    const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
    const draining = drain();
    expect(await draining.isPendingAfter()).toBe(true);
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
    await draining.ends();
  });

  test("[K11] an app whose upload was cut off is awaited, one that was refused is not", async () => {
    await using held = await startHeld({}, { stopHoldMs: 1000 });
    const { relay, drain } = held;
    const { token } = await relay.paired();
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const path = upload["a.wav"] ?? "";
    const cut = slowPut(relay, path, token);
    cut.write(smallWav().subarray(0, 50));
    await usedOf(relay, "uploads").toBe(1);
    const draining = drain();
    // The announcement alone is no reason any more.
    expect(await draining.isPendingAfter(1100)).toBe(true);
    cut.abort();
    await usedOf(relay, "uploads").toBe(0);
    expect(await draining.isPendingAfter(900)).toBe(true);
    for (const method of ["PUT", "GET"]) await relay.call(method, path, { token: "wrong" });
    expect(await draining.isPendingAfter(100)).toBe(false);
  });
});
