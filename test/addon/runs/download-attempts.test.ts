import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FetchFailure } from "../../../core/importer/fetch-failure.ts";
import { DEFAULT_RETRY_POLICY } from "../../../addon/runs/attempts.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { smallWav } from "../../wav-bytes.ts";
import { until } from "../../sim/until.ts";
import { FILE, memoryDownload as setUp, SMALL } from "./memory-download.ts";
import { cutAfter, failWith, streamOf } from "./memory-source.ts";

/** Number of bytes that counts as progress. */
const PROGRESS = 65_536;
/** A little more than 3 MiB. */
const LARGE = smallWav({ frames: 1_600_000, fill: 7 });

function answer(status?: number, retryAfterSeconds?: number): Error {
  return Object.assign(new Error("No."), { status, retryAfterSeconds });
}

describe("attempts without progress", () => {
  test("[F3] are counted from the start once 64 KiB have come", async () => {
    const { path, pauses, receive, attempt } = await setUp(LARGE);
    const nothing = [cutAfter(0), cutAfter(1000), cutAfter(0)];
    attempt(...nothing, cutAfter(PROGRESS), ...nothing, cutAfter(PROGRESS + 1), ...nothing);
    await receive();
    expect(pauses).toEqual([500, 1000, 2000, 250, 500, 1000, 2000, 250, 500, 1000, 2000]);
    expect((await readFile(path)).equals(LARGE)).toBe(true);
  });

  test("[F3] are those that bring less than 64 KiB: the fourth in a row is the last", async () => {
    const { path, pauses, failure, starts, attempt } = await setUp(LARGE);
    attempt(cutAfter(0), cutAfter(1000), cutAfter(0), cutAfter(PROGRESS - 1));
    const error = await failure();
    expect(error).toBeInstanceOf(FetchFailure);
    expect(error).toMatchObject({
      name: "FetchFailure",
      message: "Kick.wav: the connection ended too early.",
      status: undefined,
      refusedWith: undefined,
      retryAfterSeconds: 0,
    });
    expect(starts()).toEqual([0, 0, 1000, 1000]);
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(await readFile(`${path}.part`)).toHaveLength(PROGRESS + 999);
  });

  test("[F3] wait with the import's own signal, so that a cancel ends the pause", async () => {
    const { receive, retryPolicy, attempt } = await setUp();
    attempt(cutAfter(10));
    const cancel = new AbortController();
    const pause = async (_: number, signal: AbortSignal) => {
      cancel.abort(new Error("cancelled"));
      signal.throwIfAborted();
    };
    const running = receive({ signal: cancel.signal, retryPolicy: { ...retryPolicy, pause } });
    await expect(running).rejects.toThrow("cancelled");
    const { pause: real } = DEFAULT_RETRY_POLICY;
    await expect(real(60_000, AbortSignal.abort())).rejects.toThrow("aborted");
    await real(0, new AbortController().signal);
  });
});

describe("a source that refuses", () => {
  test.each([undefined, 408, 429, 500, 503])(
    "[F3] with status %s is asked again",
    async (status) => {
      const { path, pauses, receive, attempt } = await setUp();
      attempt(failWith(answer(status)));
      await receive();
      expect(pauses).toEqual([500]);
      expect(await readFile(path)).toEqual(SMALL);
    },
  );

  test.each([
    [404, "FILE_UNKNOWN"],
    [404, "SOUND_LOST"],
    [409, "PACKAGE_EXPIRED"],
    [416, "RANGE_WRONG"],
  ])("[F3] with status %s and its code %s is not asked again", async (status, code) => {
    const { pauses, failure, starts, attempt } = await setUp();
    const cause = new RelayError(status, "No.", { code, retryAfterSeconds: 7 });
    attempt(failWith(cause));
    const error = await failure();
    expect(error).toBeInstanceOf(FetchFailure);
    const expected = { message: "No.", status, refusedWith: code, retryAfterSeconds: 7, cause };
    expect(error).toMatchObject(expected);
    expect(starts()).toEqual([0]);
    expect(pauses).toEqual([]);
  });

  test.each([
    [403, undefined],
    [404, undefined],
    [404, "NOT_FOUND"],
    [404, "PACKAGE_EXPIRED"],
    [409, undefined],
    [410, undefined],
    [416, undefined],
    [429, "CALLS_TOO_MANY"],
    [503, "NOT_READY"],
  ])(
    "[R1] with status %s and the code %s may not be the relay, or not for long",
    async (...sent) => {
      const { path, receive, starts, attempt } = await setUp();
      const [status, code] = sent;
      attempt(failWith(new RelayError(status, "No.", { code })));
      await receive();
      expect(starts()).toEqual([0, 0]);
      expect(await readFile(path)).toEqual(SMALL);
    },
  );

  test.each([
    ["as long as it says", 42, 42_000],
    ["a minute at most", 61, 60_000],
    ["no less than without a word from it", 0.4, 500],
  ])("[L1] is left alone %s", async (_, retryAfterSeconds, ms) => {
    const { pauses, receive, attempt } = await setUp();
    attempt(failWith(answer(429, retryAfterSeconds)));
    await receive();
    expect(pauses).toEqual([ms]);
  });

  test("[F3] without an error object is quoted", async () => {
    const { failure, attempt } = await setUp();
    attempt(...Array.from({ length: 4 }, () => failWith("just text")));
    expect(await failure()).toMatchObject({ message: "just text" });
  });
});

describe("a source that is silent", () => {
  test.each([
    ["before it answers", () => new Promise<never>(() => undefined), 0],
    [
      "in the middle",
      ({ wav }: { readonly wav: Buffer }) => {
        async function* send() {
          yield new Uint8Array(wav.subarray(0, 100));
          await new Promise<never>(() => undefined);
        }
        return { startByte: 0, fileBytes: wav.length, body: send() };
      },
      100,
    ],
  ])("[F3] %s is given up after 30 s and asked again", async (_, silent, start) => {
    const { timers, receive, starts, attempt, seen } = await setUp();
    attempt(silent);
    const receiving = receive();
    await until(() => timers.remaining.length === 1 && seen.length === Math.sign(start));
    timers.advance(29_999);
    await setImmediate();
    expect(starts()).toEqual([0]);
    timers.advance(1);
    await receiving;
    expect(starts()).toEqual([0, start]);
    expect(timers.remaining).toEqual([]);
  });

  test("[F3] each time is named with the limit", async () => {
    const { timers, failure, starts, attempt } = await setUp();
    attempt(...Array.from({ length: 4 }, () => () => new Promise<never>(() => undefined)));
    const failing = failure();
    for (let tries = 1; tries <= 4; tries += 1) {
      await until(() => starts().length === tries && timers.remaining.length === 1);
      timers.advance(30_000);
    }
    expect(await failing).toMatchObject({ message: "Kick.wav: no data for 30 s." });
  });
});

test("[F3] a connection that failed is closed with the reason, and one that worked is left to end", async () => {
  const { receive, attempt } = await setUp();
  const signals: AbortSignal[] = [];
  const follow =
    (bytes: number) =>
    ({ wav, startByte, signal }: Parameters<ReturnType<typeof cutAfter>>[0]) => {
      signals.push(signal);
      return streamOf(wav, startByte, bytes);
    };
  attempt(follow(100), follow(Infinity));
  await receive();
  await setImmediate();
  const [failed, worked] = signals;
  expect(failed?.reason).toMatchObject({ message: "Kick.wav: the connection ended too early." });
  expect(worked?.aborted).toBe(false);
});

test("[F3] a cancel ends the download with its reason, not as a failure of the source", async () => {
  const { receive, files, attempt } = await setUp();
  const cancel = new AbortController();
  attempt(cutAfter(1000), () => {
    cancel.abort(new Error("cancelled"));
    return Promise.reject(answer(500));
  });
  const error = await receive({ signal: cancel.signal }).catch((error: unknown) => error);
  expect(error).toBe(cancel.signal.reason);
  expect(await files()).toEqual([`${FILE}.part`]);
});
