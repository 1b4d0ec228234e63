import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TakeAnswer } from "../../../core/protocol/importer-api.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { LeaseHeartbeat } from "../../../addon/runs/run-lease.ts";
import { ManualTimers } from "../manual-timers.ts";
import { linkTo, startStandIn } from "../relay/linked-client.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { until } from "../../sim/until.ts";
import { LEASE_ANSWER } from "./relay-with.ts";

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

describe("[S2] beats", () => {
  /** Beats whose answers a test gives. */
  function setUpBeats() {
    const timers = new ManualTimers();
    const answers: PromiseWithResolvers<TakeAnswer>[] = [];
    const box = { mayRenew: true, renewed: 0 };
    const heartbeat = new LeaseHeartbeat(LEASE, {
      relay: {
        take: () => {
          const answer = Promise.withResolvers<TakeAnswer>();
          answers.push(answer);
          return answer.promise;
        },
      },
      timers,
      mayRenew: () => box.mayRenew,
      onRenewed: () => void (box.renewed += 1),
      onLost: () => undefined,
    });
    const answer = async () => {
      answers.at(-1)?.resolve(LEASE_ANSWER);
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
