import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { FAULT_GROUPS, FAULTS } from "./all-faults.ts";
import {
  holdRelay,
  realTimeChecks,
  SHORT_WINDOWS,
  startBreakingProxy,
  startFaultyRelay,
} from "./breaking-proxy.ts";

const ALL = Object.values(FAULT_GROUPS).flat();

test.concurrent.for(ALL)(
  "[Q9] of all rules the whole kit names the broken one: $rule, $what",
  async (fault, { expect: expectHere }) => {
    const { rule, also, needs, survives } = fault;
    await using relay = await RunningRelay.start({
      SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10",
      ...(needs === "time" && SHORT_WINDOWS),
    });
    await using proxy = await startFaultyRelay(relay.url, fault);
    const { broken_rules: broken } = await holdRelay(relay, {
      url: proxy.url,
      skip: realTimeChecks(fault),
      needs: new Set(needs === undefined ? [] : [needs]),
    });
    expectHere(broken.includes(rule)).toBe(survives === undefined);
    // Who wrote a fault without reading the checks couldn't say what else it breaks.
    if (FAULTS.includes(fault)) {
      expectHere(broken.toSorted()).toEqual([rule, ...(also ?? [])].toSorted());
    }
  },
);

test("[Q1] a proxy that breaks nothing changes no result", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {});
  const report = await holdRelay(relay, { url: proxy.url, skip: realTimeChecks() });
  expect(report.broken_rules).toEqual([]);
});
