import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import { LeaseHeartbeat, takePackage, type TakeOptions } from "../../../addon/runs/run-lease.ts";
import { ManualTimers } from "../manual-timers.ts";
import { linkTo, startStandIn } from "../relay/linked-client.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { cutAfter } from "./memory-source.ts";
import { setUpNoting as setUp } from "./noting-run.ts";
import { until } from "../../sim/until.ts";

describe("a run whose lease another run has taken", () => {
  const elsewhere = new RelayError(409, "Another import is running. Try again in 280 s.", {
    code: "RUN_ELSEWHERE",
  });

  test("[S2] stops at the host with the relay's sentence", async () => {
    const { box, host, run } = await setUp("relay");
    const timers = new ManualTimers();
    host.act = async ({ signal }) => {
      box.take = elsewhere;
      timers.advance(60_000);
      await once(signal, "abort");
      throw new Error("The host was cancelled.");
    };
    await expect(run({ timers })).rejects.toBe(elsewhere);
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
        box.take = new RelayUnreachableError("Nothing answers.");
        return cutAfter(Infinity)(request);
      },
    ]);
    expect((await run({ timers })).status).toBe("imported");
  });
});

const LEASE = { packageId: "pkg_1", runId: "run-1" };

async function setUpHeartbeat() {
  const relay = await startStandIn();
  const timers = new ManualTimers();
  const box = { mayRenew: true, renewed: 0, lost: [] as string[] };
  const heartbeat = new LeaseHeartbeat(LEASE, {
    relay: linkTo(relay.url).client,
    timers,
    mayRenew: () => box.mayRenew,
    onRenewed: () => void (box.renewed += 1),
    onLost: (error) => box.lost.push(error.message),
  });
  const takes = () => relay.callsTo("POST", "/importer/packages/pkg_1/take");
  return { relay, timers, box, heartbeat, takes };
}

test("[S2] renews the lease every 60 s until the run ends", async () => {
  const { relay, timers, box, heartbeat, takes } = await setUpHeartbeat();
  offerPackage(relay, "pkg_1", ["Kick"]);
  for (const beats of [1, 2, 3]) {
    timers.advance(59_999);
    expect(takes()).toHaveLength(beats - 1);
    timers.advance(1);
    await until(() => timers.remaining.length === 1);
    expect(takes()).toHaveLength(beats);
  }
  expect(takes().at(-1)?.body).toEqual({ run_id: "run-1" });
  expect(box.renewed).toBe(3);
  heartbeat.end();
  expect(timers.remaining).toEqual([]);
});

test("[S2] a failed heartbeat is followed by the next one; none follows the run's end", async () => {
  const { relay, timers, box, heartbeat } = await setUpHeartbeat();
  relay.intercept = () => ({ status: 503 });
  timers.advance(60_000);
  await until(() => timers.remaining.length === 1);
  timers.advance(60_000);
  heartbeat.end();
  await until(() => relay.calls.length === 2);
  expect(timers.remaining).toEqual([]);
  expect(box.renewed).toBe(0);
});

test("[S2] says when another run has the lease, and beats no more", async () => {
  const { relay, timers, box } = await setUpHeartbeat();
  const { status, sentence } = REFUSALS.RUN_ELSEWHERE;
  relay.intercept = ({ path }) =>
    path.endsWith("/take")
      ? { status, body: { error: sentence, code: "RUN_ELSEWHERE" } }
      : undefined;
  timers.advance(60_000);
  await until(() => box.lost.length === 1);
  expect(box.lost).toEqual([sentence]);
  expect(timers.remaining).toEqual([]);
});

test("[S2] the end of the run ends a beat in flight", async () => {
  const timers = new ManualTimers();
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const heartbeat = new LeaseHeartbeat(LEASE, {
    relay: {
      take: (_packageId, _run, signal) => {
        begun.resolve(signal);
        return new Promise<never>(() => {});
      },
    },
    timers,
    mayRenew: () => true,
    onRenewed: () => {},
    onLost: () => {},
  });
  timers.advance(60_000);
  const signal = await begun.promise;
  expect(signal?.aborted).toBe(false);
  heartbeat.end();
  expect(signal?.aborted).toBe(true);
});

test("[S2][R1] skips its beats while the run says so, and renews at once when told to", async () => {
  const { relay, timers, box, heartbeat, takes } = await setUpHeartbeat();
  offerPackage(relay, "pkg_1", ["Kick"]);
  box.mayRenew = false;
  timers.advance(60_000);
  timers.advance(60_000);
  expect(takes()).toEqual([]);
  heartbeat.beat();
  heartbeat.beat();
  await until(() => box.renewed === 1 && timers.remaining.length === 1);
  expect(takes()).toHaveLength(1);
  heartbeat.end();
  heartbeat.beat();
  expect(timers.remaining).toEqual([]);
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
      return { expires_at: "", expires_in: 300 };
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
