import { once } from "node:events";
import { describe as suite, expect, test, vi } from "vitest";
import { describe, manifestOf, RunningRelay } from "../running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { openSocket } from "./open-socket.ts";
import { slowGet } from "./slow-get.ts";
import { slowPut } from "./slow-put.ts";

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Begins to drain, and gives when that is over. */
function drain(relay: RunningRelay): { readonly over: Promise<void>; readonly now: () => void } {
  const now = new AbortController();
  return { over: relay.relay.drain(now.signal), now: () => now.abort() };
}

/** What a relay that waits for the next call of a package is given in these tests: it waits too long to see the end. */
const HOLD = { stopHoldMs: 600_000 };

async function untilUploads(relay: RunningRelay, count: number): Promise<void> {
  const uploads = relay.relay.context.admission.budget("uploads");
  await vi.waitFor(() => expect(uploads.used).toBe(count), { timeout: 10_000, interval: 10 });
}

async function isPending(promise: Promise<unknown>, forMs = 150): Promise<boolean> {
  const pending = Symbol("pending");
  const turn = new Promise((resolve) => setTimeout(() => resolve(pending), forMs));
  return (await Promise.race([promise, turn])) === pending;
}

suite.concurrent("a relay that is being replaced", () => {
  test("[K11] new work is refused at once, and /readyz says why, while what was begun goes on", async () => {
    await using relay = await RunningRelay.start({}, HOLD);
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
    await untilUploads(relay, 1);

    const { over } = drain(relay);
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
    expect(await isPending(over)).toBe(true);
    const results = { results: { "1": { status: "imported" } } };
    const report = await relay.call("POST", `${path}/results`, { ...ofImporter, body: results });
    expect(report.status).toBe(200);
    expect((await relay.status(token, waiting)).status).toBe("imported");

    // The announced package: its running upload, its next file, its commit.
    put.write(smallWav().subarray(50));
    put.end();
    expect((await put.answer).status).toBe(200);
    expect(await isPending(over)).toBe(true);
    const next = await relay.call("PUT", upload["b.wav"] ?? "", { token, body: smallWav() });
    expect(next.status).toBe(200);
    expect(await isPending(over)).toBe(true);
    expect((await relay.call("POST", `/packages/${id}/commit`, { token })).status).toBe(200);
    await over;
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
  });

  test("[K11] a relay with nothing to serve is drained at once, unless it has to serve for a while", async () => {
    await using relay = await RunningRelay.start();
    await drain(relay).over;
    await using slow = await RunningRelay.start({ SOUNDFERRY_STOP_DELAY_S: "600" });
    const { over, now } = drain(slow);
    expect(await isPending(over)).toBe(true);
    expect((await slow.call("GET", "/readyz")).status).toBe(503);
    now();
    await over;
  });

  test("[K11] the grace ends what is still running, and disposing then waits for nobody", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_STOP_GRACE_S: "1" });
    const { importer, token } = await relay.paired();
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const put = slowPut(relay, upload["a.wav"] ?? "", token);
    put.write(smallWav().subarray(0, 50));
    const socket = await openSocket(relay, importer.token);
    // It never answers the closing.
    socket.pause();
    await untilUploads(relay, 1);
    await drain(relay).over;
    const answer = put.answer.then(
      () => "answered",
      () => "cut off",
    );
    await relay.stop();
    expect(await answer).toBe("cut off");
    socket.terminate();
  }, 20_000);

  test("[K11] long-polls are answered with the state, and asked to come back", async () => {
    await using relay = await RunningRelay.start({}, { stopHoldMs: 600 });
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const put = slowPut(relay, upload["a.wav"] ?? "", token);
    await untilUploads(relay, 1);
    const poll = () => relay.call("GET", `/packages/${id}/status?wait=30&known=waiting`, { token });
    const before = poll();
    expect(await isPending(before)).toBe(true);
    const startedAt = performance.now();
    const { over } = drain(relay);
    const during = poll();
    for (const answer of await Promise.all([before, during])) {
      expect(answer).toMatchObject({ status: 200, json: { status: "waiting" } });
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.headers.get("connection")).toBe("close");
    }
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    // The upload still runs.
    expect(await isPending(over)).toBe(true);
    put.abort();
  }, 30_000);

  test("[K11] sockets are closed with 1012, each at its own time, and the relay waits for that", async () => {
    await using relay = await RunningRelay.start({}, { stopHoldMs: 600 });
    const importer = await relay.register();
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(relay, importer.token)));
    const codes = sockets.map(async (socket) => {
      const [code]: unknown[] = await once(socket, "close");
      return { code, at: performance.now() };
    });
    const { over } = drain(relay);
    const closed = await Promise.all(codes);
    expect(closed.map(({ code }) => code)).toEqual([1012, 1012, 1012]);
    expect(new Set(closed.map(({ at }) => Math.round(at))).size).toBeGreaterThan(1);
    await over;
  }, 30_000);

  test("[K11] a running download is awaited", async () => {
    await using relay = await RunningRelay.start({}, HOLD);
    const { importer, token } = await relay.paired();
    const long = smallWav({ frames: 20_000_000 });
    const manifest = { ...manifestOf([]), items: [describe("a.wav", long)] };
    const { package_id: id, upload } = await relay.announce(token, manifest);
    await relay.call("PUT", upload["a.wav"] ?? "", { token, body: long });
    await relay.call("POST", `/packages/${id}/commit`, { token });
    const got = await slowGet(relay, `/importer/packages/${id}/files/a.wav`, importer.token);
    const { over } = drain(relay);
    expect(await isPending(over)).toBe(true);
    expect(await got.rest()).toEqual({ isWhole: true, sizeBytes: long.byteLength });
  });

  test("[K11] a package that was just announced is awaited until it is withdrawn", async () => {
    await using relay = await RunningRelay.start({}, HOLD);
    const { token } = await relay.paired();
    const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
    const { over } = drain(relay);
    expect(await isPending(over)).toBe(true);
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
    await over;
  });

  test("[K11] an app whose upload was cut off is awaited, one that was refused is not", async () => {
    await using relay = await RunningRelay.start({}, { stopHoldMs: 1000 });
    const { token } = await relay.paired();
    const { upload } = await relay.announce(token, manifestOf(["a.wav"]));
    const path = upload["a.wav"] ?? "";
    const cut = slowPut(relay, path, token);
    cut.write(smallWav().subarray(0, 50));
    await untilUploads(relay, 1);
    const { over } = drain(relay);
    // The announcement alone is no reason any more.
    await passed(1100);
    expect(await isPending(over)).toBe(true);
    cut.abort();
    await untilUploads(relay, 0);
    expect(await isPending(over)).toBe(true);
    for (const method of ["PUT", "GET"]) await relay.call(method, path, { token: "wrong" });
    await over;
  });
});
