import type { Choice } from "../../../cli/conformance/choice.ts";
import type { Report } from "../../../cli/conformance/report.ts";
import { type RunOptions, runChecks } from "../../../cli/conformance/run-checks.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";

/** Runs the kit against a relay, or what stands before it; where it waits, the relay's clock jumps. */
export function holdRelay(
  relay: RunningRelay,
  {
    url = relay.url,
    signal = new AbortController().signal,
    onResult = () => {},
    ...choice
  }: Partial<Choice & Pick<RunOptions, "signal" | "onResult"> & { readonly url: string }> = {},
): Promise<Report> {
  return runChecks(url, {
    choice: { needs: new Set(), ...choice },
    wait: async (ms) => relay.clock.pass(ms / 1000),
    onWait: () => {},
    onResult,
    signal,
  });
}
