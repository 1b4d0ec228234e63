import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
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

/** A sender that pauses for longer sends piece by piece. */
const PAUSE_MS = 800;

/** Reads a body; undefined if its sender pauses or leaves, and then the next reader gets what came, too. */
export function wholeBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const pieces: Buffer[] = [];
  const stop = (whole: Buffer | undefined) => {
    clearTimeout(timer);
    incoming.off("data", take).off("end", end).off("close", leave);
    resolve(whole);
  };
  const timer = setTimeout(() => {
    incoming.pause();
    if (pieces.length > 0) incoming.unshift(Buffer.concat(pieces));
    stop(undefined);
  }, PAUSE_MS);
  const take = (piece: Buffer) => {
    pieces.push(piece);
    timer.refresh();
  };
  const end = () => stop(Buffer.concat(pieces));
  const leave = () => stop(undefined);
  incoming.on("data", take).on("end", end).on("close", leave).resume();
  return promise;
}

/** Frames a message whose body has a known length. */
export function frame(headers: IncomingHttpHeaders, body: Buffer): void {
  delete headers["transfer-encoding"];
  headers["content-length"] = String(body.byteLength);
}
