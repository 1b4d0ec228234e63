import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import { fetchForRun, LOST_AT_RELAY } from "../../../addon/runs/fetch-sounds.ts";
import { SoundProgress } from "../../../core/panel/sound-progress.ts";
import { RunLease } from "../../../addon/runs/run-lease.ts";
import type { ImportProgress } from "../../../core/protocol/import-outcome.ts";
import type { PanelRunSounds } from "../../../core/protocol/panel-api.ts";
import { smallWav } from "../../wav-bytes.ts";
import { until } from "../../sim/until.ts";
import { ManualTimers } from "../manual-timers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { cutAfter, failWith, MemorySource } from "./memory-source.ts";
import { LEASE_ANSWER, relayWith } from "./relay-with.ts";

/** 1,000 bytes. */
const WAV = smallWav({ frames: 478, fill: 1 });
const AWAY = new RelayUnreachableError("Nothing answers.");
const lost = (code: string) => failWith(new RelayError(404, "It is gone.", { code }));

/** The download of a run of two sounds, with a lease or without. After a pause the relay answers again. */
async function setUp(at: "relay" | "folder" = "relay") {
  const timers = new ManualTimers();
  const takes: unknown[] = [];
  const box = { take: undefined as unknown, asked: false };
  const relay = relayWith({
    take: async (packageId, run) => {
      takes.push([packageId, run]);
      box.asked = true;
      if (box.take === "never") return new Promise<never>(() => undefined);
      if (box.take !== undefined) throw box.take;
      return LEASE_ANSWER;
    },
  });
  const names = ["A", "B"].map((name) => ({ name, wav: WAV }));
  const source = new MemorySource(names, "pkg_a", at === "relay" ? relay : undefined);
  const sounds = new SoundProgress(["1", "2"]);
  const folder = await new SoundsFolder(join(await temporaryFolder(), "sounds")).openFor(
    source.manifest,
  );
  const lease =
    at === "relay"
      ? new RunLease({ packageId: "pkg_a", runId: "run_a", seconds: 300 }, relay, timers)
      : undefined;
  const told: ImportProgress[] = [];
  const shown: PanelRunSounds[] = [];
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    box.take = undefined;
  };
  const fetch = (options: { signal?: AbortSignal; isChosen?: (id: string) => boolean } = {}) =>
    fetchForRun(source, folder, {
      lease,
      runId: "run_a",
      retryPolicy: { silenceLimitMs: 30_000, timers, pause },
      signal: new AbortController().signal,
      isChosen: () => true,
      sounds,
      onSounds: () => shown.push(sounds.snapshot()),
      onProgress: (progress) => told.push(progress),
      ...options,
    });
  return { source, takes, box, fetch, told, shown, pauses, timers };
}

describe("[R1] a run's download", () => {
  test("says that it waits, with the seconds left, and when it goes on, with what it has", async () => {
    const { source, fetch, told } = await setUp();
    source.attempts.set("A.wav", [cutAfter(600)]);
    source.attempts.set("B.wav", [failWith(AWAY)]);
    await fetch();
    const waits = told.filter(({ phase }) => phase === "retrying");
    expect(waits).toContainEqual({
      phase: "retrying",
      secondsLeft: 300,
      doneBytes: expect.any(Number),
      totalBytes: expect.any(Number),
    });
    const at = told.findLastIndex(({ phase }) => phase === "retrying");
    expect(told[at + 1]).toMatchObject({ phase: "fetching" });
    expect(told.at(-1)).toEqual({ phase: "fetching", doneBytes: 2000, totalBytes: 2000 });
  });

  test("that waits before its first byte has none of none", async () => {
    const { source, fetch, told } = await setUp();
    for (const file of ["A.wav", "B.wav"]) source.attempts.set(file, [failWith(AWAY)]);
    await fetch();
    expect(told[0]).toEqual({ phase: "retrying", secondsLeft: 300, doneBytes: 0, totalBytes: 0 });
  });

  test("asks for the package in the same run where the relay refuses a sound", async () => {
    const { source, takes, fetch } = await setUp();
    source.attempts.set("A.wav", [lost("SOUND_LOST")]);
    source.attempts.set("B.wav", [lost("FILE_UNKNOWN")]);
    const fetched = await fetch();
    expect(takes.slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => ["pkg_a", { run_id: "run_a" }]),
    );
    expect(fetched.get("1")).toEqual({ error: "Its file was lost at the relay." });
    expect(fetched.get("2")).toEqual({ error: "It is gone." });
    expect(LOST_AT_RELAY).toBe("Its file was lost at the relay.");
  });

  test("asks again while the relay can't say whether the package is there", async () => {
    const { source, box, fetch, pauses } = await setUp();
    source.attempts.set("A.wav", [
      (request) => {
        box.take = AWAY;
        return lost("FILE_UNKNOWN")(request);
      },
    ]);
    expect((await fetch()).get("1")).toEqual({ error: "It is gone." });
    expect(pauses).toHaveLength(1);
  });

  test("waits 30 s for the answer, and then asks again", async () => {
    const { source, box, fetch, pauses, timers, told } = await setUp();
    source.attempts.set("A.wav", [
      (request) => {
        box.take = "never";
        return lost("FILE_UNKNOWN")(request);
      },
    ]);
    const running = fetch();
    await until(() => timers.remaining.includes(30_000) && box.asked);
    timers.advance(30_000);
    expect((await running).get("1")).toEqual({ error: "It is gone." });
    expect(pauses).toHaveLength(1);
    expect(told).toContainEqual(expect.objectContaining({ phase: "retrying" }));
  });

  test("ends with the cancel that comes while it asks", async () => {
    const { source, box, fetch } = await setUp();
    const stop = new AbortController();
    const reason = new Error("cancelled");
    source.attempts.set("A.wav", [
      (request) => {
        stop.abort(reason);
        box.take = AWAY;
        return lost("FILE_UNKNOWN")(request);
      },
    ]);
    await expect(fetch({ signal: stop.signal })).rejects.toBe(reason);
  });
});

describe("[R14] each sound of a run", () => {
  test("is waiting, fetching with its share, and then fetched or failed", async () => {
    const { source, fetch, shown } = await setUp();
    source.attempts.set("B.wav", [lost("FILE_UNKNOWN")]);
    await fetch();
    const first = shown.map((sounds) => sounds["1"]);
    expect(first).toContainEqual({ state: "fetching", progress: 1 });
    expect(first).not.toContainEqual({ state: "failed" });
    expect(shown.at(-1)).toEqual({ "1": { state: "fetched" }, "2": { state: "failed" } });
  });

  test("that can't be used is shown as failed, and one that isn't chosen isn't shown", async () => {
    const { source, fetch, shown } = await setUp("folder");
    source.problems.set("1", "A.wav: its size is not known.");
    const fetched = await fetch();
    expect(shown[0]?.["1"]).toEqual({ state: "failed" });
    expect(fetched.get("1")).toEqual({ error: "A.wav: its size is not known." });
    const other = await setUp("folder");
    other.source.problems.set("1", "A.wav: its size is not known.");
    await other.fetch({ isChosen: (id) => id === "2" });
    expect(other.shown.at(-1)).toEqual({ "1": { state: "waiting" }, "2": { state: "fetched" } });
  });
});

test("[R5] a folder's sound that can't be read is left out, without a relay to ask", async () => {
  const { source, fetch, takes } = await setUp("folder");
  source.attempts.set("A.wav", Array(4).fill(failWith(new Error("The file was removed."))));
  expect((await fetch()).get("1")).toEqual({ error: "The file was removed." });
  expect(takes).toEqual([]);
});
