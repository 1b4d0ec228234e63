import { refusal } from "../../core/protocol/refusal.ts";
import type { Call } from "./call.ts";
import { nextPiece } from "./read-body.ts";

/**
 * The bytes of an upload as they arrive. The idle limit runs only while the relay waits for bytes, never
 * while it is busy storing them.
 * @throws {Refusal} 408 UPLOAD_STALLED after the idle limit (rule U5)
 * @throws {ConnectionLost} when the sender disconnects
 */
export async function* uploadPieces(
  { request, idleMs }: Call,
  file: string,
): AsyncIterable<Uint8Array> {
  for (;;) {
    const piece = await nextPiece(request.raw, idleMs);
    if (piece === "stalled") throw refusal("UPLOAD_STALLED", { file });
    if (piece === null) return;
    yield piece;
  }
}
