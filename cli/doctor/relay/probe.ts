import { networkTrouble } from "../../../addon/relay/relay-errors.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { Inconclusive } from "../../conformance/assertion-failure.ts";
import type { Answer } from "../../conformance/answer.ts";
import { Wire } from "../../conformance/wire.ts";
import type { Visit } from "./visit.ts";

/** No answer that is looked at is longer. */
const MAX_ANSWER_BYTES = 2_000_000;

interface Probe {
  readonly method?: string;
  readonly path: string;
  /** Replaces the relay's address. */
  readonly at?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only bytes that are sent of a longer body. */
  readonly firstBytes?: Uint8Array;
}

/**
 * Makes one call on a connection of its own, and follows nothing.
 * @returns undefined when no answer came in time
 * @throws {RelayUnreachableError} when the connection fails
 * @throws {unknown} the reason of the visit's signal
 */
export async function probe(
  { url, waits, signal }: Pick<Visit, "url" | "waits" | "signal">,
  { method = "GET", path, at = url, headers = {}, firstBytes }: Probe,
): Promise<Answer | undefined> {
  const late = AbortSignal.timeout(waits.answerMs);
  const ended = AbortSignal.any([signal, late]);
  signal.throwIfAborted();
  using wire = new Wire(at);
  const call = wire.open(method, path, {
    headers,
    isAlone: true,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  const stop = () => call.abort();
  ended.addEventListener("abort", stop, { once: true });
  if (firstBytes === undefined) call.end();
  else call.write(firstBytes);
  try {
    return await call.answer;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return undefined;
    const cause = error instanceof Inconclusive ? error.cause : error;
    throw networkTrouble(cause, new URL(at).host);
  } finally {
    ended.removeEventListener("abort", stop);
    stop();
  }
}

/** Checks whether the relay itself refused the call, for good or for now, and not something before it. */
export function isFromTheRelay({ status, json }: Answer): boolean {
  const code = isJsonObject(json) ? json["code"] : undefined;
  return Object.entries(REFUSALS).some(
    ([name, refused]) => name === code && refused.status === status,
  );
}
