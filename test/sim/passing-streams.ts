import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Waits until a writer has room again, or has ended. */
export function drained(answer: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = () => {
    answer.off("drain", settle).off("close", settle);
    resolve();
  };
  answer.on("drain", settle).on("close", settle);
  if (answer.closed) settle();
  return promise;
}

/** Sends each end what the other sends. */
export function joined(caller: Duplex, target: Socket): void {
  target.pipe(caller).pipe(target);
}

/** Breaks a call's connection once so many bytes of its body came. */
export function cutAfter(incoming: IncomingMessage, bytes: number): void {
  let came = 0;
  if (bytes === 0) incoming.socket.destroy();
  incoming.on("data", (piece: Buffer) => {
    came += piece.byteLength;
    if (came >= bytes) incoming.socket.destroy();
  });
  incoming.resume();
}
