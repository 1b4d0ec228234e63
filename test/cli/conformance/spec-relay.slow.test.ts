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
