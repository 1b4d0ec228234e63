import { MAX_JSON_BYTES } from "../../core/limits.ts";
import type { HttpConnection, JsonCall } from "./http-connection.ts";
import { notSoundferry, refusalIn } from "./relay-errors.ts";

/**
 * Makes a call whose answer is JSON of a shape.
 * @throws {RelayError} when the relay refuses
 * @throws {RelayUnreachableError} when something else answers, or nothing
 */
export async function askRelay<Body>(
  http: HttpConnection,
  isExpected: (body: unknown) => body is Body,
  call: Omit<JsonCall, "maxAnswerBytes"> & { readonly maxAnswerBytes?: number },
): Promise<Body> {
  const answer = await http.call({ maxAnswerBytes: MAX_JSON_BYTES, ...call });
  if (answer.status < 200 || answer.status >= 300) throw refusalIn(answer, http.host);
  if (!isExpected(answer.body)) throw notSoundferry(http.host);
  return answer.body;
}
