import type { Finding } from "../finding.ts";
import { ok, wrong } from "./findings.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** Checks that the metrics aren't served to everyone (rule K4). */
export async function checkMetrics(visit: Visit): Promise<readonly Finding[]> {
  const answer = await probe(visit, { path: "/metrics" });
  if (answer?.status !== 200 || !/^soundferry_/m.test(answer.text)) {
    return [ok("metrics", "The metrics aren't served to the public.")];
  }
  const advice = "Have the proxy pass on only the relay's own port, not SOUNDFERRY_METRICS_PORT.";
  return [wrong("metrics", "Anyone can read the relay's metrics at /metrics.", advice)];
}
