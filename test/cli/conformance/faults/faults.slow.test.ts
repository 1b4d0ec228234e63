import { test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { FAULTS } from "./all-faults.ts";
import { holdRelay, realTimeChecks, SHORT_WINDOWS, startFaultyRelay } from "./breaking-proxy.ts";

// The short form: of each fault only the checks of its rules run. The nightly test has the whole kit, and the faults that
// were written blind.

test.concurrent.for(FAULTS)("[Q9] a failed check names $rule: $what", async (fault, { expect }) => {
  const { rule, also = [], calls = [], needs, survives } = fault;
  await using relay = await RunningRelay.start({
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10",
    ...SHORT_WINDOWS,
  });
  await using proxy = await startFaultyRelay(relay.url, fault);
  const report = await holdRelay(relay, {
    url: proxy.url,
    only: [rule, ...also, ...calls],
    // The others send hundreds of calls.
    skip: [...realTimeChecks(fault), "limit-packages", "limit-calls"],
    needs: new Set(needs === undefined ? [] : [needs]),
  });
  expect(report.broken_rules.includes(rule)).toBe(survives === undefined);
});
