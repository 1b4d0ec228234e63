import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LeftBehindError } from "../../../addon/hosts/host.ts";
import { RelayError, RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
import { FetchFailure } from "../../../core/importer/fetch-failure.ts";
import { RunLease, takePackage, type TakeOptions } from "../../../addon/runs/run-lease.ts";
import { ManualTimers } from "../manual-timers.ts";
import { cutAfter } from "./memory-source.ts";
import { setUpNoting as setUp } from "./noting-run.ts";
import { LEASE_ANSWER, relayWith } from "./relay-with.ts";

const AWAY = new RelayUnreachableError("Nothing answers.");

/** Listeners of a download that is not looked at. */
const SILENT = { onTrouble: () => {}, onRecovered: () => {} };

describe("a run whose lease another run has taken", () => {
  const elsewhere = new RelayError(409, "Another import is running. Try again in 280 s.", {
    code: "RUN_ELSEWHERE",
  });

  /** Runs an import whose host notices that the lease is lost, and fails with this error. */
  async function loseLease(thrown: Error) {
    const { box, host, run } = await setUp("relay");
    const timers = new ManualTimers();
    host.act = async ({ signal }) => {
      box.take = elsewhere;
      timers.advance(60_000);
      await once(signal, "abort");
      throw thrown;
    };
    return run({ timers });
  }

  test("[S2] stops at the host with the relay's sentence", async () => {
    await expect(loseLease(new Error("The host was cancelled."))).rejects.toBe(elsewhere);
  });

  test("[R4][S2] stops with what stays at the host, where the host says so", async () => {
    const left = new LeftBehindError("The track Kick stays.");
    await expect(loseLease(left)).rejects.toBe(left);
  });

  test("[S2] notices before it places anything, where the last renewal is older than a minute", async () => {
    const { box, calls, host, run, source } = await setUp("relay");
    const timers = new ManualTimers();
    source.attempts.set("Snare.wav", [
      (request) => {
        // The computer slept.
        timers.sleep(120_000);
        box.take = elsewhere;
        return cutAfter(Infinity)(request);
      },
    ]);
    await expect(run({ timers })).rejects.toBe(elsewhere);
    expect(host.requests).toEqual([]);
    expect(calls).toEqual(["take pkg_a", "take pkg_a"]);
  });

  test("[S2] goes on where the relay can't be asked while its lease lasts", async () => {
    const { box, run, source } = await setUp("relay");
    const timers = new ManualTimers();
    source.attempts.set("Snare.wav", [
      (request) => {
        timers.sleep(120_000);
        box.take = AWAY;
        return cutAfter(Infinity)(request);
      },
    ]);
    expect((await run({ timers })).status).toBe("imported");
  });
});

/** A lease of five minutes, and the relay's calls. */
function setUpLease(seconds = 300) {
  const timers = new ManualTimers();
  const takes: unknown[] = [];
  const box = { trouble: undefined as unknown };
  const relay = relayWith({
    take: async (packageId, run) => {
      takes.push([packageId, run]);
      if (box.trouble !== undefined) throw box.trouble;
      return LEASE_ANSWER;
    },
  });
  const lease = new RunLease({ packageId: "pkg_a", runId: "run_a", seconds }, relay, timers);
  const { signal } = new AbortController();
  return { lease, timers, takes, box, signal };
}

describe("[S2] before the host places anything, the lease", () => {
  test("is renewed where the last renewal is more than a minute ago", async () => {
    const { lease, timers, takes, signal } = setUpLease();
    timers.sleep(60_000);
    await lease.confirm(signal);
    expect(takes).toEqual([]);
    timers.sleep(1);
    await lease.confirm(signal);
    expect(takes).toEqual([["pkg_a", { run_id: "run_a" }]]);
    await lease.confirm(signal);
    expect(takes).toHaveLength(1);
  });

  test("counts from the last beat", async () => {
    const { lease, timers, takes, signal } = setUpLease();
    timers.advance(60_000);
    await setImmediate();
    timers.sleep(60_000);
    await lease.confirm(signal);
    expect(takes).toHaveLength(1);
    lease.end();
  });

  test("may be unconfirmed while it lasts, and not one millisecond longer", async () => {
    const { lease, timers, box, signal } = setUpLease(300);
    box.trouble = AWAY;
    timers.sleep(299_999);
    await lease.confirm(signal);
    timers.sleep(1);
    await expect(lease.confirm(signal)).rejects.toBe(AWAY);
  });

  test("is over with the relay's own refusal, at any time", async () => {
    const { lease, timers, box, signal } = setUpLease();
    box.trouble = new RelayError(404, "Gone.", { code: "PACKAGE_UNKNOWN" });
    timers.sleep(60_001);
    await expect(lease.confirm(signal)).rejects.toBe(box.trouble);
  });

  test("isn't asked about any more after a cancel", async () => {
    const { lease, timers, box } = setUpLease();
    const reason = new Error("cancelled");
    box.trouble = AWAY;
    timers.sleep(60_001);
    await expect(lease.confirm(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("[R1] while sounds are downloaded, the lease", () => {
  test("is renewed with progress only, and at once when the connection is back", async () => {
    const { lease, timers, takes } = setUpLease();
    const told: unknown[] = [];
    await lease.whileFetching(
      { onTrouble: (left) => told.push(left), onRecovered: () => told.push("back") },
      async (watch) => {
        watch.noteTrouble(FetchFailure.of(AWAY));
        timers.advance(60_000);
        await setImmediate();
        expect(takes).toEqual([]);
        watch.noteSettled();
        await setImmediate();
        expect(takes).toHaveLength(1);
      },
    );
    expect(told).toEqual([300, "back"]);
    lease.end();
    expect(timers.remaining).toEqual([]);
  });

  test("ends the downloads when it is over, counted from its last renewal", async () => {
    const { lease, timers } = setUpLease(100);
    await lease.whileFetching(SILENT, async (watch) => {
      timers.advance(60_000);
      await setImmediate();
      timers.advance(60_000);
      expect(watch.signal.aborted).toBe(false);
      timers.advance(40_000);
      expect(watch.signal.aborted).toBe(true);
    });
    lease.end();
  });

  test("goes on beating when they are over, with whatever they end", async () => {
    const { lease, timers, takes } = setUpLease();
    const broken = new Error("broken");
    await expect(lease.whileFetching(SILENT, () => Promise.reject(broken))).rejects.toBe(broken);
    expect(timers.remaining).toEqual([60_000]);
    timers.advance(60_000);
    await setImmediate();
    expect(takes).toHaveLength(1);
    lease.end();
  });

  test("of a very long time has a timer that lasts", async () => {
    const { lease, timers } = setUpLease(10_000_000);
    await lease.whileFetching(SILENT, async () => {
      expect(timers.remaining.at(-1)).toBe(2 ** 31 - 1);
    });
    lease.end();
  });
});

type Take = { readonly run_id: string; readonly force?: boolean };

/** A relay at which one run holds the package, and the requests that it got. */
function setUpTake(holder: string | undefined, trouble?: (take: Take) => Error | undefined) {
  const takes: Take[] = [];
  const relay = {
    take: async (packageId: string, take: Take) => {
      expect(packageId).toBe("pkg_a");
      takes.push(take);
      const error = trouble?.(take);
      if (error !== undefined) throw error;
      const isFree = holder === undefined || take.run_id === holder || take.force === true;
      if (!isFree) throw new RelayError(409, "Another run holds it.");
      return LEASE_ANSWER;
    },
  };
  const take = (options: Partial<TakeOptions> = {}) =>
    takePackage(relay, "pkg_a", { runId: "new", isForced: false, stoppedRunIds: [], ...options });
  return { takes, take };
}

describe("taking a package", () => {
  test("[S2] asks once where it is free, without force", async () => {
    const { takes, take } = setUpTake(undefined);
    await take({ stoppedRunIds: ["old"] });
    expect(takes).toEqual([{ run_id: "new" }]);
  });

  test("[S2] is forced when the person says so", async () => {
    const { takes, take } = setUpTake("other");
    await take({ isForced: true });
    expect(takes).toEqual([{ run_id: "new", force: true }]);
  });

  test("[R7] takes it from a run of its own that stopped", async () => {
    const { takes, take } = setUpTake("old-2");
    await take({ stoppedRunIds: ["old-1", "old-2", "old-3"] });
    expect(takes).toEqual([
      { run_id: "new" },
      { run_id: "old-1" },
      { run_id: "old-2" },
      { run_id: "new", force: true },
    ]);
  });

  test("[S2] never takes it from another importer", async () => {
    const { takes, take } = setUpTake("other");
    await expect(take({ stoppedRunIds: ["old", "new"] })).rejects.toThrow("Another run holds it.");
    expect(takes).toEqual([{ run_id: "new" }, { run_id: "old" }]);
  });

  test("[R7] stops at the first answer that says nothing about who holds it", async () => {
    const gone = new RelayError(404, "Gone.");
    const first = setUpTake("old", () => gone);
    await expect(first.take({ stoppedRunIds: ["old"] })).rejects.toBe(gone);
    expect(first.takes).toHaveLength(1);
    const second = setUpTake("other", ({ run_id }) => (run_id === "old-1" ? gone : undefined));
    await expect(second.take({ stoppedRunIds: ["old-1", "old-2"] })).rejects.toBe(gone);
    expect(second.takes).toHaveLength(2);
  });
});
