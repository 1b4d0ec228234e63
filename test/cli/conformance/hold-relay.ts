import type { Report } from "../../../cli/conformance/report.ts";
import { type Choice, runChecks, type RunOptions } from "../../../cli/conformance/run-checks.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";

/** Settings of a relay whose every window the kit waits for. */
export const SHORT_WINDOWS = {
  SOUNDFERRY_PAIRING_CODE_TTL_S: "600",
  SOUNDFERRY_UPLOAD_WINDOW_S: "600",
  SOUNDFERRY_WAIT_WINDOW_S: "700",
  SOUNDFERRY_STATUS_WINDOW_S: "60",
  SOUNDFERRY_LEASE_S: "60",
  SOUNDFERRY_UPLOAD_IDLE_S: "1",
};

/** Runs the kit against a relay or its proxy; instead of waiting, it moves the relay's clock. */
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
