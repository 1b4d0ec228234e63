import type { Need } from "../../../cli/conformance/check.ts";
import type { PairingOptions } from "../../../cli/conformance/pairing.ts";
import type { Report } from "../../../cli/conformance/report.ts";
import { runChecks } from "../../../cli/conformance/run-checks.ts";
import type { startSpecRelay } from "./spec-relay.ts";

/** Runs the kit's public part against a relay that was written from the specification alone. */
export function holdSpecRelay(
  relay: Pick<Awaited<ReturnType<typeof startSpecRelay>>, "url" | "pass">,
  given: NonNullable<PairingOptions["given"]>,
  needs: readonly Need[] = [],
): Promise<Report> {
  return runChecks(relay.url, {
    choice: { only: ["public"], needs: new Set(needs) },
    given,
    wait: async (ms) => relay.pass(ms / 1000),
    onWait: () => {},
    signal: new AbortController().signal,
  });
}
