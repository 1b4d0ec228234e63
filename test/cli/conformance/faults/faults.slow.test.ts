import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { FAULTS } from "./all-faults.ts";
import { holdRelay, realTimeChecks, SHORT_WINDOWS, startFaultyRelay } from "./breaking-proxy.ts";

// The short form: of each fault only the checks of its rule run. The nightly test has the whole kit.

test.for(FAULTS)("[Q2] a failed check names $rule: $what", async (fault) => {
  const { rule, also = [], calls = [], needs } = fault;
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
  expect(report.broken_rules).toContain(rule);
});
