import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startCluster } from "./cluster.ts";
import { runChecks } from "../../cli/conformance/run-checks.ts";

test("[SC19][Q1] three relays behind haproxy keep the contract", async () => {
  await using cluster = await startCluster({
    settings: { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" },
  });
  const report = await runChecks(cluster.url, {
    choice: { needs: new Set() },
    wait: async (ms) => {
      await sleep(ms);
    },
    onWait: () => {},
    onResult: () => {},
    signal: new AbortController().signal,
  });
  const errors = (await Promise.all(cluster.relays.map((relay) => relay.errors()))).flat();
  expect({
    checks: report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome)),
    errors,
  }).toEqual({ checks: [], errors: [] });
  expect(report).toMatchObject({ keeps_the_contract: true, failed: 0 });
  expect(report.passed).toBeGreaterThan(200);
});
