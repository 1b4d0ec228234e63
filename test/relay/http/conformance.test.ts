import { beforeAll, expect, test } from "vitest";
import { choose } from "../../../cli/conformance/choice.ts";
import type { CheckResult } from "../../../cli/conformance/report.ts";
import { holdRelay } from "../../cli/conformance/faults/breaking-proxy.ts";
import { RunningRelay } from "../running-relay.ts";

// The conformance kit is the base of the HTTP tests: what it checks from outside, no other test here says again.

const { checks: ALL, standing } = choose({ needs: new Set() });
const ORDINARY = [...ALL.filter(({ needs }) => needs === undefined), ...standing];
/** They wait for real time; the slow tests have them. */
const LONG = ["wait-clamped"];

const results = new Map<string, CheckResult>();

beforeAll(async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
  const { checks } = await holdRelay(relay, { skip: LONG });
  for (const result of checks) results.set(result.id, result);
});

test.for(ORDINARY.filter(({ id }) => !LONG.includes(id)))("[$rule] $id: $title", ({ id }) => {
  expect(results.get(id)).toMatchObject({ outcome: "passed" });
});
