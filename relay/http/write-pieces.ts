import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { freeBytes } from "../../core/audio/byte-pieces.ts";

interface Writing {
  readonly connection: Socket;
  /** Called when the reader is about to take so many bytes more. */
  readonly onPiece?: (bytes: number) => void;
}

/**
 * Writes as fast as the other side reads (backpressure). Ends early when the other side disconnects, also while
 * the response waits for an earlier one on the same connection.
 */
export async function writePieces(
  raw: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
  { connection, onPiece = () => {} }: Writing,
): Promise<void> {
  const isGone = () => raw.destroyed || connection.destroyed;
  for await (const piece of bytes) {
    if (isGone()) return;
    onPiece(piece.byteLength);
    const hasRoom = raw.write(piece, () => freeBytes(piece));
    if (!hasRoom) await eventOrGone(raw, "drain", connection);
  }
  if (isGone()) return;
  const finished = eventOrGone(raw, "finish", connection);
  raw.end();
  await finished;
}

/** A response that waits for an earlier one has no connection yet, so it may never hear that this one closes. */
function eventOrGone(
  raw: ServerResponse,
  event: "drain" | "finish",
  connection: Socket,
): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      raw.off(event, settle).off("close", settle);
      connection.off("close", settle);
      resolve();
    };
    raw.on(event, settle).on("close", settle);
    connection.on("close", settle);
  });
}
