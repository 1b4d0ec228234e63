import { sentenceOf } from "../../core/text/sentence-of.ts";
import { HttpConnection } from "./http-connection.ts";
import { callHello, IMPORTER_HEADERS } from "./open-calls.ts";
import { parseRelayUrl } from "./relay-url.ts";

/** Short, because a person is waiting. */
const HELLO_LIMIT_MS = 10_000;

/**
 * Checks that a compatible relay answers at an address.
 * @param address as a person types it
 * @returns the address normalized by `parseRelayUrl`
 * @throws {Error} with a sentence that says what is wrong
 */
export async function findRelay(address: string): Promise<string> {
  const relayUrl = parseAddress(address);
  const http = new HttpConnection({
    baseUrl: relayUrl,
    headers: IMPORTER_HEADERS,
    answerDeadlineMs: HELLO_LIMIT_MS,
  });
  try {
    await callHello(http);
  } finally {
    http.close();
  }
  return relayUrl;
}

function parseAddress(text: string): string {
  try {
    return parseRelayUrl(text);
  } catch (error) {
    throw new Error(`This ${sentenceOf(error)}`, { cause: error });
  }
}
