import { refusal } from "../../core/protocol/refusal.ts";
import type { Call } from "./call.ts";
import { BodyReader } from "./read-body.ts";

/**
 * The bytes of an upload as they arrive. The idle limit runs only while the relay waits for bytes, never
 * while it is busy storing them.
 * @param ended ends the upload, even while the sender is silent; its reason is thrown
 * @throws {Refusal} 408 UPLOAD_STALLED after the idle limit (rule U5)
 * @throws {ConnectionLost} when the sender disconnects
 */
export async function* uploadPieces(
  { request, idleMs, context }: Call,
  file: string,
  ended: AbortSignal,
): AsyncIterable<Uint8Array> {
  const reader = new BodyReader(request.raw, ended);
  for (;;) {
    const piece = await reader.next(idleMs);
    if (piece === "stalled") throw refusal("UPLOAD_STALLED", { file });
    if (piece === null) return;
    context.meter.soundBytes("in", piece.byteLength);
    yield piece;
  }
}
