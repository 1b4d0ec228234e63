import { MIN_UPLOAD_BYTES } from "../../core/quotas/budgets.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import type { Call } from "./call.ts";
import { BodyReader } from "./read-body.ts";

/**
 * The bytes of an upload as they arrive: at least `MIN_UPLOAD_BYTES`, or the rest, within the idle limit. That runs only
 * while the relay waits for bytes, never while it is busy storing them.
 * @param ended ends the upload, even while the sender is silent; its reason is thrown
 * @throws {Refusal} 408 UPLOAD_STALLED after the idle limit (rule U5)
 * @throws {ConnectionLost} when the sender disconnects
 */
export async function* uploadPieces(
  { request, idleMs, timers, context }: Call,
  file: string,
  ended: AbortSignal,
): AsyncIterable<Uint8Array> {
  const reader = new BodyReader(request.raw, timers, ended);
  let leftMs = idleMs;
  let bytes = 0;
  for (;;) {
    const asked = timers.now();
    const piece = await reader.next(leftMs);
    if (piece === "stalled") throw refusal("UPLOAD_STALLED", { file });
    if (piece === null) return;
    leftMs -= timers.now() - asked;
    bytes += piece.byteLength;
    if (bytes >= MIN_UPLOAD_BYTES) {
      leftMs = idleMs;
      bytes = 0;
    }
    context.meter.soundBytes("in", piece.byteLength);
    yield piece;
  }
}
