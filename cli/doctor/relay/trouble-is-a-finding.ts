import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { Finding } from "../finding.ts";
import { wrong } from "./findings.ts";
import type { Visit } from "./visit.ts";

/** Runs a check; a call of it that fails on the way is a finding. @throws {unknown} the signal's reason */
export async function troubleIsAFinding(
  { signal }: Visit,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    signal.throwIfAborted();
    const advice =
      "Run this again. If that happens again, see the logs of the proxy and of the relay.";
    return [wrong("connection", `A call failed: ${sentenceOf(error)}`, advice)];
  }
}
