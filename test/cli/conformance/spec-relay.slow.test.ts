import { expect, test } from "vitest";
import { holdSpecRelay } from "./hold-spec-relay.ts";
import { SPEC_FAULTS } from "./spec-relay-faults.ts";
import { startSpecRelay } from "./spec-relay.ts";

test.for(SPEC_FAULTS)(
  "[Q7] a failed check finds that a relay breaks $says: $name",
  async ({ laws, around, needs }) => {
    await using relay = await startSpecRelay({ rangesRefuse: false, ...laws }, around);
    const code = relay.codeFor("Studio of Åsa");
    const report = await holdSpecRelay(relay, { code }, needs && [needs]);
    expect(report.checks.filter(({ outcome }) => outcome === "failed")).not.toEqual([]);
  },
);

test.for([true, false])(
  "[Q7] with --limits a relay written from the specification alone keeps it; values out of range refused: %s",
  async (rangesRefuse) => {
    await using relay = await startSpecRelay({ rangesRefuse });
    const code = relay.codeFor("Studio of Åsa");
    const report = await holdSpecRelay(relay, { code }, ["limit"]);
    expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
    const passed = report.checks.filter(({ outcome }) => outcome === "passed");
    const ids = passed.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["limit-calls", "limit-packages", "limit-tries"]));
  },
);
