import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { ReadAnswer } from "./judge-answer.ts";

/** The most that is read of an answer. A relay's longest have less than a tenth of that. */
export const MAX_ANSWER_BYTES = 1024 ** 2;

/**
 * Reads an answer. Stops after 1 MiB: a longer one counts as something else than a JSON object.
 * @param timeoutMs limit for the body
 * @throws {DOMException} `TimeoutError`
 */
export async function readAnswer(response: Response, timeoutMs: number): Promise<ReadAnswer> {
  const { status, headers, body } = response;
  let leftBytes = MAX_ANSWER_BYTES;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      leftBytes -= piece.byteLength;
      if (leftBytes < 0) controller.terminate();
      else controller.enqueue(piece);
    },
  });
  const capped = body?.pipeThrough(cap, { signal: AbortSignal.timeout(timeoutMs) });
  // A `fetch` that isn't the platform's may give no stream.
  const text = await (capped ? new Response(capped) : response).text();
  return { status, headers, body: leftBytes < 0 ? undefined : parseJsonObject(text) };
}

/** Parses a JSON object; undefined for anything else. An empty text counts as an empty object. */
function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
