import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { FAULTS } from "./all-faults.ts";
import {
  holdRelay,
  realTimeChecks,
  SHORT_WINDOWS,
  startBreakingProxy,
  startFaultyRelay,
} from "./breaking-proxy.ts";

test.for(FAULTS)("[Q2] of all rules only the broken one is named: $rule, $what", async (fault) => {
  const { rule, also = [], needs } = fault;
  await using relay = await RunningRelay.start({
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10",
    ...(needs === "time" && SHORT_WINDOWS),
  });
  await using proxy = await startFaultyRelay(relay.url, fault);
  const report = await holdRelay(relay, {
    url: proxy.url,
    skip: realTimeChecks(fault),
    needs: new Set(needs === undefined ? [] : [needs]),
  });
  expect([...report.broken_rules].toSorted()).toEqual([rule, ...also].toSorted());
});

test("[Q2] a proxy that breaks nothing changes no result", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {});
  const report = await holdRelay(relay, { url: proxy.url, skip: realTimeChecks() });
  expect(report.broken_rules).toEqual([]);
});
