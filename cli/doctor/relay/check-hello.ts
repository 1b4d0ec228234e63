import { RelayError } from "../../../addon/relay/relay-errors.ts";
import type { HelloAnswer } from "../../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { judgeClocks, judgeVersion } from "../check-relay.ts";
import { callHello } from "../../../addon/relay/open-calls.ts";
import type { Finding } from "../finding.ts";
import { wrong } from "./findings.ts";
import type { Visit } from "./visit.ts";

/** What the relay says of itself, and what was found. */
export interface Greeting {
  readonly findings: readonly Finding[];
  /** undefined if no relay answers here. */
  readonly hello: HelloAnswer | undefined;
}

/** Checks that a relay answers without a redirect, its version, and its clock. */
export async function checkHello({ url, http }: Pick<Visit, "url" | "http">): Promise<Greeting> {
  const askedAt = Date.now();
  try {
    const hello = await callHello(http);
    const aheadSeconds = (Date.parse(hello.now) - (askedAt + Date.now()) / 2) / 1000;
    const clock = Number.isNaN(aheadSeconds) ? [] : [judgeClocks(aheadSeconds)];
    return { hello, findings: [judgeVersion(url, hello.version), ...clock] };
  } catch (error) {
    return { hello: undefined, findings: [unanswered(error)] };
  }
}

function unanswered(error: unknown): Finding {
  const sentence = sentenceOf(error);
  if (error instanceof RelayError && error.status < 400) {
    const advice =
      "Give apps and importers that address: none of them sends a token where it is redirected to.";
    return wrong("redirect", sentence.replace(/ Enter that.*$/, ""), advice);
  }
  const advice = "Check the address, the proxy, and whether the relay behind it is running.";
  return wrong("relay", sentence, advice);
}
