import { expect, test } from "vitest";
import { LeaseHeartbeat } from "../../../addon/runs/run-lease.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { linkTo, startStandIn } from "./linked-client.ts";
import { offerPackage } from "./packages-to-import.ts";

const LEASE = { packageId: "pkg_1", runId: "run-1" };

async function setUp() {
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
  const { relay, timers, box, heartbeat, takes } = await setUp();
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
  const { relay, timers, box, heartbeat } = await setUp();
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
  const { relay, timers, box } = await setUp();
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
  const { relay, timers, box, heartbeat, takes } = await setUp();
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
