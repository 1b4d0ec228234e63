import { isRenamed } from "../../../addon/relay/relay-answers.ts";
import { askRelay } from "../../../addon/relay/open-calls.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { JSON_SIZE } from "../../../core/text/format-limit.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { Finding } from "../finding.ts";
import { ok, OWN_ANSWER, wrong } from "./findings.ts";
import { OWN_NAME, type OwnComputer } from "./own-computer.ts";
import type { Visit } from "./visit.ts";

/** Checks that a JSON body as large as the relay takes them reaches it: a rename, with a member that it ignores. */
export async function checkJsonBody(
  { http, signal }: Visit,
  { credential }: OwnComputer,
): Promise<readonly Finding[]> {
  const empty = JSON.stringify({ device_name: OWN_NAME, padding: "" });
  const body = { device_name: OWN_NAME, padding: "x".repeat(MAX_JSON_BYTES - empty.length) };
  try {
    const call = { method: "PATCH", path: "/importer/me", to: credential, body, signal };
    await askRelay(http, isRenamed, call);
    return [ok("json-limit", `JSON of ${JSON_SIZE} reaches the relay.`)];
  } catch (error) {
    signal.throwIfAborted();
    const sentence = `JSON of ${JSON_SIZE}, as large as manifests and results can be, doesn't reach the relay: ${sentenceOf(error)}`;
    const isTooLong = error instanceof RelayError && error.status === 413;
    if (!isTooLong) return [wrong("json-limit", sentence, OWN_ANSWER)];
    const advice = `Raise the proxy's limit for bodies to ${JSON_SIZE} or more; uploads need more still.`;
    return [wrong("json-limit", sentence, advice)];
  }
}
