import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import { FetchFailure } from "../../../addon/runs/attempts.ts";
import { LeaseHeartbeat, RunLease } from "../../../addon/runs/run-lease.ts";
import { ManualTimers } from "../manual-timers.ts";

const AWAY = new RelayUnreachableError("Nothing answers.");

/** A lease of five minutes, and the relay's calls. */
function setUp(seconds = 300) {
  const timers = new ManualTimers();
  const takes: unknown[] = [];
  const box = { trouble: undefined as unknown };
  const relay = {
    relayUrl: "http://relay.test",
    take: async (packageId: string, run: object) => {
      takes.push([packageId, run]);
      if (box.trouble !== undefined) throw box.trouble;
      return { expires_at: "", expires_in: 300 };
    },
    report: () => Promise.reject(new Error("Not asked.")),
    openFile: () => Promise.reject(new Error("Not asked.")),
  };
  const lease = new RunLease({ packageId: "pkg_a", runId: "run_a", seconds }, relay, timers);
  const { signal } = new AbortController();
  return { lease, timers, takes, box, signal };
}

describe("[S2] before the host places anything, the lease", () => {
  test("is renewed where the last renewal is more than a minute ago", async () => {
    const { lease, timers, takes, signal } = setUp();
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
    const { lease, timers, takes, signal } = setUp();
    timers.advance(60_000);
    await setImmediate();
    timers.sleep(60_000);
    await lease.confirm(signal);
    expect(takes).toHaveLength(1);
    lease.end();
  });

  test("may be unconfirmed while it lasts, and not one millisecond longer", async () => {
    const { lease, timers, box, signal } = setUp(300);
    box.trouble = AWAY;
    timers.sleep(299_999);
    await lease.confirm(signal);
    timers.sleep(1);
    await expect(lease.confirm(signal)).rejects.toBe(AWAY);
  });

  test("is over with the relay's own refusal, at any time", async () => {
    const { lease, timers, box, signal } = setUp();
    box.trouble = new RelayError(404, "Gone.", { code: "PACKAGE_UNKNOWN" });
    timers.sleep(60_001);
    await expect(lease.confirm(signal)).rejects.toBe(box.trouble);
  });

  test("isn't asked about any more after a cancel", async () => {
    const { lease, timers, box } = setUp();
    const reason = new Error("cancelled");
    box.trouble = AWAY;
    timers.sleep(60_001);
    await expect(lease.confirm(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("[R1] while sounds are downloaded, the lease", () => {
  test("is renewed with progress only, and at once when the connection is back", async () => {
    const { lease, timers, takes } = setUp();
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
    const { lease, timers } = setUp(100);
    await lease.whileFetching({ onTrouble: () => {}, onRecovered: () => {} }, async (watch) => {
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
    const { lease, timers, takes } = setUp();
    const broken = new Error("broken");
    const deps = { onTrouble: () => {}, onRecovered: () => {} };
    await expect(lease.whileFetching(deps, () => Promise.reject(broken))).rejects.toBe(broken);
    expect(timers.remaining).toEqual([60_000]);
    timers.advance(60_000);
    await setImmediate();
    expect(takes).toHaveLength(1);
    lease.end();
  });

  test("of a very long time has a timer that lasts", async () => {
    const { lease, timers } = setUp(10_000_000);
    await lease.whileFetching({ onTrouble: () => {}, onRecovered: () => {} }, async () => {
      expect(timers.remaining.at(-1)).toBe(2 ** 31 - 1);
    });
    lease.end();
  });
});

describe("[S2] the beats of a lease", () => {
  /** Beats whose answers a test gives. */
  function setUpBeats() {
    const timers = new ManualTimers();
    const answers: PromiseWithResolvers<{ expires_at: string; expires_in: number }>[] = [];
    const box = { mayRenew: true, renewed: 0 };
    const heartbeat = new LeaseHeartbeat(
      { packageId: "pkg_a", runId: "run_a" },
      {
        relay: {
          take: () => {
            const answer = Promise.withResolvers<{ expires_at: string; expires_in: number }>();
            answers.push(answer);
            return answer.promise;
          },
        },
        timers,
        mayRenew: () => box.mayRenew,
        onRenewed: () => void (box.renewed += 1),
        onLost: () => undefined,
      },
    );
    const answer = async () => {
      answers.at(-1)?.resolve({ expires_at: "", expires_in: 300 });
      await setImmediate();
    };
    return { timers, answers, box, heartbeat, answer };
  }

  test("are made one at a time, and none after the end", async () => {
    const { timers, answers, box, heartbeat, answer } = setUpBeats();
    heartbeat.beat();
    heartbeat.beat();
    expect(answers).toHaveLength(1);
    await answer();
    heartbeat.beat();
    expect([answers.length, box.renewed]).toEqual([2, 1]);
    heartbeat.end();
    await answer();
    heartbeat.beat();
    expect([answers.length, box.renewed, timers.remaining]).toEqual([2, 1, []]);
  });

  test("that are skipped are followed by the next one", () => {
    const { timers, answers, box, heartbeat } = setUpBeats();
    box.mayRenew = false;
    timers.advance(60_000);
    box.mayRenew = true;
    timers.advance(59_999);
    expect(answers).toEqual([]);
    timers.advance(1);
    expect(answers).toHaveLength(1);
    heartbeat.end();
  });
});
