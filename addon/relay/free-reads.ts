import type { IncomingMessage } from "node:http";
import { freeBytes } from "../../core/audio/byte-pieces.ts";

/**
 * Frees what the connection of an answer reads, as soon as Node has copied it into the answer's pieces. Node leaves it to
 * the garbage collector, which then goes through the whole heap several times for the largest package. A read that
 * shares its memory with a piece stays.
 */
export function freeReads(answer: IncomingMessage): void {
  const { socket } = answer;
  const pushed = new Set<unknown>();
  const push = answer.push.bind(answer);
  answer.push = (piece: Uint8Array | null, ...rest) => {
    if (piece !== null) pushed.add(piece.buffer);
    return push(piece, ...rest);
  };
  // Node's own listener came first, and has the pieces pushed.
  const free = (read: Uint8Array) => {
    if (pushed.size > 0 && !pushed.has(read.buffer)) freeBytes(read);
    pushed.clear();
  };
  socket.on("data", free);
  answer.once("close", () => socket.off("data", free));
}
