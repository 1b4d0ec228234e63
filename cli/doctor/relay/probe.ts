import * as http from "node:http";
import * as https from "node:https";
import { networkTrouble } from "../../../addon/relay/relay-errors.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { parseJson } from "../../../core/text/parse-json.ts";
import type { Visit } from "./visit.ts";

/** No answer that is looked at is longer. */
const MAX_TEXT_BYTES = 2_000_000;

export interface Probe {
  readonly method?: string;
  readonly path: string;
  /** Replaces the relay's address. */
  readonly at?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** The only bytes that are sent of a longer body. */
  readonly firstBytes?: Uint8Array;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** undefined where the text isn't JSON. */
  readonly body: unknown;
  /** The two ends of the connection. */
  readonly localAddress: string;
  readonly remoteAddress: string;
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
): Promise<ProbeAnswer | undefined> {
  const target = new URL(at + path);
  const { request } = target.protocol === "https:" ? https : http;
  const late = AbortSignal.timeout(waits.answerMs);
  const call = request(target, {
    method,
    headers,
    agent: false,
    signal: AbortSignal.any([signal, late]),
  });
  try {
    return await answerTo(call, firstBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return undefined;
    throw networkTrouble(error, target.host);
  } finally {
    call.destroy();
  }
}

function answerTo(call: http.ClientRequest, firstBytes?: Uint8Array): Promise<ProbeAnswer> {
  return new Promise((resolve, reject) => {
    // What breaks after the answer has begun, such as the rest of the body, breaks nothing.
    call.on("error", reject);
    call.once("response", (answer) => {
      const { localAddress = "", remoteAddress = "" } = answer.socket;
      readText(answer)
        .then((text) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: parseJson(text),
            localAddress,
            remoteAddress,
          }),
        )
        .catch(reject);
    });
    if (firstBytes === undefined) call.end();
    else call.write(firstBytes);
  });
}

async function readText(answer: http.IncomingMessage): Promise<string> {
  let text = "";
  answer.setEncoding("utf8");
  for await (const piece of answer as AsyncIterable<string>) {
    text += piece;
    if (text.length > MAX_TEXT_BYTES) break;
  }
  return text;
}

/** Whether the relay itself refused the call, for good or for now, and not something before it. */
export function isFromTheRelay({ status, body }: ProbeAnswer): boolean {
  const code = isJsonObject(body) ? body["code"] : undefined;
  return Object.entries(REFUSALS).some(
    ([name, refused]) => name === code && refused.status === status,
  );
}
