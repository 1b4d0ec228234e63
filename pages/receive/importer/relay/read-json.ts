import { isJsonTooComplex } from "../../../../core/text/is-json-too-complex.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { joinBytes } from "../../../../core/zip/zip-format.ts";

/** Bytes of a relay's answer for each value and key in it; those of a package take more. */
const BYTES_PER_VALUE = 8;

/**
 * Reads an answer as JSON (rule I7); undefined where it isn't valid.
 * @throws {RangeError} when it is longer than `maxBytes`, or would take much more memory than that
 */
export async function readJson({ body }: Response, maxBytes: number): Promise<unknown> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    sizeBytes += value.byteLength;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      throw new RangeError("too long");
    }
    pieces.push(value);
  }
  const bytes = joinBytes(pieces);
  if (isJsonTooComplex(bytes, maxBytes / BYTES_PER_VALUE)) throw new RangeError("too complex");
  return parseJson(new TextDecoder().decode(bytes));
}
