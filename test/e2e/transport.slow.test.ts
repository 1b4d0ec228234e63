import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { relayPackage } from "../../addon/packages/package-source.ts";
import { LOST_AT_RELAY } from "../../addon/runs/fetch-sounds.ts";
import { ConnectionLostError, ImportCancelledError } from "../../core/importer/import-errors.ts";
import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import { linkTo } from "../addon/relay/linked-client.ts";
import { passingTime } from "../addon/runs/import-site.ts";
import { temporarySite } from "../addon/runs/temporary-site.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { type CallFault, HttpCutter } from "../sim/http-cutter.ts";
import { soon } from "../sim/soon.ts";

const FILES = ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"];
const PAGE = "<html><body>Sign in to the network of this hotel</body></html>";

let shared: RunningRelay;
beforeAll(async () => {
  shared = await RunningRelay.start();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** Starts a relay for this test alone. */
async function ownRelay(): Promise<RunningRelay> {
  const relay = await RunningRelay.start();
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

/** A relay with a package of five sounds, and an importer that reaches it through the proxy. */
async function setUp(relay = shared) {
  const proxy = await HttpCutter.to(relay.url);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const { client } = linkTo(proxy.url);
  const { code } = await client.pairingCode();
  const token = await relay.claim(code);
  const packageId = await relay.send(token, FILES);
  const site = await temporarySite();
  const list = async () => {
    const listed = (await client.packages()).packages.find((one) => one.package_id === packageId);
    if (listed === undefined) throw new Error("The package is not listed.");
    return listed;
  };
  const source = async () => relayPackage(await list(), client.asPort());
  const status = () => relay.status(token, packageId);
  const told: ImportProgress[] = [];
  const onProgress = (progress: ImportProgress) => void told.push(progress);
  const run = async (more: Partial<Parameters<typeof site.import>[1]> = {}) =>
    site.import(await source(), { ...passingTime(), onProgress, ...more });
  const failure = (more?: Parameters<typeof run>[0]) => run(more).catch((error: unknown) => error);
  return { relay, proxy, client, token, packageId, site, list, status, told, run, failure };
}

const isDownload = ({ path }: { readonly path: string }) => path.includes("/files/");

/** Spoils only the first downloads of each file. */
function untilNth(last: number, fault: CallFault): HttpCutter["fault"] {
  return (call) => (isDownload(call) && call.nth <= last ? fault : undefined);
}

function page(status: number, headers: Record<string, string> = {}): CallFault {
  return { status, body: PAGE, headers: { "content-type": "text/html", ...headers } };
}

describe("D7: something on the way to the relay", () => {
  test.for<[string, HttpCutter["fault"]]>([
    ["cuts every body", untilNth(8, { cutAfter: 100 })],
    ["answers with an error page", untilNth(8, page(502))],
    ["answers that there is no such page", untilNth(8, page(404))],
    ["answers with its own page in place of the sound", untilNth(8, page(200))],
    ["asks for patience", untilNth(2, page(503, { "retry-after": "20" }))],
    ["spoils each sound once", untilNth(1, { spoil: 60 })],
    ["spoils each header once", untilNth(1, { spoil: 1 })],
  ])("[R1] that %s for a while only delays the import", async ([, fault]) => {
    const { proxy, site, run, status, told } = await setUp();
    proxy.fault = fault;
    expect((await run()).status).toBe("imported");
    expect((await status()).status).toBe("imported");
    expect((await site.session()).tracks).toHaveLength(FILES.length);
    expect(told.at(-1)).toEqual({ phase: "reported", isKnown: true });
  });

  test("[R1][R2] that spoils one sound always costs only that sound, after two whole downloads", async () => {
    const { proxy, run, status } = await setUp();
    proxy.fault = ({ path }) => (path.endsWith("b.wav") ? { spoil: 60 } : undefined);
    const { status: end, tracks } = await run();
    expect(end).toBe("partial");
    expect(tracks.map(({ error }) => error)).toEqual([
      null,
      "b.wav: checksum doesn't match the announced one.",
      null,
      null,
      null,
    ]);
    expect(proxy.downloads.filter(({ path }) => path.endsWith("b.wav"))).toHaveLength(2);
    expect((await status()).results?.["2"]).toMatchObject({ status: "skipped" });
  });

  test("[R1] that cuts for ever: nothing is placed, and the next click fetches only what is missing", async () => {
    const { relay, proxy, site, list, run, failure, status, told } = await setUp(await ownRelay());
    const clock = passingTime();
    const pause = async (ms: number, signal: AbortSignal) => {
      relay.clock.pass(ms / 1000);
      await clock.retryPolicy.pause(ms, signal);
    };
    // It cuts once and then lets nothing through.
    proxy.fault = ({ path, nth }) =>
      path.endsWith("c.wav") ? { cutAfter: nth === 1 ? 100 : 0 } : undefined;
    expect(
      await failure({ ...clock, retryPolicy: { ...clock.retryPolicy, pause } }),
    ).toBeInstanceOf(ConnectionLostError);
    expect((await site.session()).scenes).toEqual([]);
    expect(await status()).toMatchObject({ status: "waiting" });
    const waits = told.filter((each) => each.phase === "retrying");
    const left = waits.map(({ secondsLeft }) => secondsLeft);
    expect(left[0]).toBeLessThanOrEqual(300);
    expect(left.at(-1)).toBeLessThan(20);
    // The lease is over too, so that the app can withdraw it.
    expect(await list()).toMatchObject({ status: "waiting", taken: false });

    proxy.fault = () => undefined;
    proxy.calls.length = 0;
    expect((await run()).status).toBe("imported");
    const [resumed, ...others] = proxy.downloads;
    expect(others).toEqual([]);
    expect(resumed).toMatchObject({
      path: expect.stringMatching(/c\.wav$/),
      headers: { range: "bytes=100-" },
    });
  });

  test("[R1] that repeats a sound's first bytes for ever is given up on", async () => {
    const { proxy, failure, site } = await setUp();
    proxy.fault = (call) => {
      if (!isDownload(call)) return undefined;
      delete call.headers.range;
      return { cutAfter: 100 };
    };
    expect(await failure()).toBeInstanceOf(ConnectionLostError);
    expect((await site.session()).scenes).toEqual([]);
  });

  test("[R1] a relay that is restarted in the middle only delays the import", async () => {
    const { relay, proxy, run, site } = await setUp(await ownRelay());
    const clock = passingTime();
    let pauses = 0;
    let work = Promise.resolve();
    const startAgain = async () => {
      const again = await RunningRelay.start({ SOUNDFERRY_DATA: relay.folder });
      onTestFinished(() => again.stop());
      proxy.aimAt(again.url);
    };
    const restart = async (ms: number, signal: AbortSignal) => {
      pauses += 1;
      if (pauses === 1) work = relay.stop();
      if (pauses === 12) work = work.then(startAgain);
      await work;
      await clock.retryPolicy.pause(ms, signal);
    };
    proxy.fault = untilNth(1, { cutAfter: 50 });
    const { status } = await run({
      ...clock,
      retryPolicy: { ...clock.retryPolicy, pause: restart },
    });
    expect(status).toBe("imported");
    expect((await site.session()).tracks).toHaveLength(FILES.length);
  });
});

describe("a sound that the relay has lost", () => {
  test("[R1][Z2] is skipped with a sentence, and the rest is imported", async () => {
    const { proxy, run, status } = await setUp();
    const body = JSON.stringify({
      error: "d.wav: the relay has lost this file. Send it again.",
      code: "SOUND_LOST",
    });
    proxy.fault = ({ path }) =>
      path.endsWith("d.wav")
        ? {
            status: 404,
            body,
            headers: { "content-type": "application/json", "soundferry-relay": "1" },
          }
        : undefined;
    const { status: end, tracks, folder } = await run();
    expect(end).toBe("partial");
    expect(await readdir(folder ?? "")).not.toContain("d.wav.part");
    expect(tracks[3]).toMatchObject({ status: "skipped", error: LOST_AT_RELAY });
    const { results } = await status();
    expect(results?.["4"]).toMatchObject({ status: "skipped", error: LOST_AT_RELAY });
    expect(proxy.downloads.filter(({ path }) => path.endsWith("d.wav"))).toHaveLength(1);
  });
});

describe("a cancel", () => {
  test("[R1] ends a read that hangs, at once", async () => {
    const { proxy, failure, site } = await setUp();
    proxy.fault = (call) => (isDownload(call) ? "hang" : undefined);
    const cancel = new AbortController();
    const failing = failure({ signal: cancel.signal });
    await soon(() => proxy.downloads.length).toBe(4);
    cancel.abort();
    expect(await failing).toBeInstanceOf(ImportCancelledError);
    expect((await site.session()).scenes).toEqual([]);
  });

  test("[R1] ends a pause, at once", async () => {
    const { proxy, failure, run } = await setUp();
    proxy.fault = untilNth(1, { cutAfter: 10 });
    const cancel = new AbortController();
    const { promise: forever } = Promise.withResolvers<void>();
    const pause = async (_: number, signal: AbortSignal) => {
      setImmediate(() => cancel.abort());
      await Promise.race([
        forever,
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
      ]);
    };
    const { retryPolicy } = passingTime();
    const error = await failure({ signal: cancel.signal, retryPolicy: { ...retryPolicy, pause } });
    expect(error).toBeInstanceOf(ImportCancelledError);
    expect((await run()).status).toBe("imported");
  });
});
