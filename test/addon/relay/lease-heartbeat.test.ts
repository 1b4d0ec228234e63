import { expect, test } from "vitest";
import { keepLease } from "../../../addon/relay/lease-heartbeat.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../until.ts";
import { linkTo, startStandIn } from "./linked-client.ts";
import { offerPackage } from "./packages-to-import.ts";

const LEASE = { packageId: "pkg_1", runId: "run-1" };

test("[S2] renews the lease every 60 s until the run ends", async () => {
  const relay = await startStandIn();
  offerPackage(relay, "pkg_1", ["Kick"]);
  const timers = new ManualTimers();
  const end = keepLease(LEASE, linkTo(relay.url).client, timers);
  const takes = () => relay.callsTo("POST", "/importer/packages/pkg_1/take");
  for (const beats of [1, 2, 3]) {
    timers.advance(59_999);
    expect(takes()).toHaveLength(beats - 1);
    timers.advance(1);
    await until(() => timers.remaining.length === 1);
    expect(takes()).toHaveLength(beats);
  }
  expect(takes().at(-1)?.body).toEqual({ run_id: "run-1" });
  end();
  expect(timers.remaining).toEqual([]);
});

test("[S2] a failed heartbeat is followed by the next one; none follows the run's end", async () => {
  const relay = await startStandIn();
  const timers = new ManualTimers();
  relay.intercept = () => ({ status: 503 });
  const end = keepLease(LEASE, linkTo(relay.url).client, timers);
  timers.advance(60_000);
  await until(() => timers.remaining.length === 1);
  timers.advance(60_000);
  end();
  await until(() => relay.calls.length === 2);
  expect(timers.remaining).toEqual([]);
});
