import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { beginsWith } from "../cors.ts";

// Connections from the local network (rule LAN3). They come through listeners of their own, which mark them.

const LAN = Symbol("local network");

type KnownSocket = Socket & { [LAN]?: true };

/** Marks a connection as one from the local network, before the server gets it. */
export function markAsLan(socket: KnownSocket): void {
  socket[LAN] = true;
}

export function isLan(socket: KnownSocket): boolean {
  return socket[LAN] === true;
}

/** Addresses for this computer only, and those of a page that no device in the network has a use for. */
const CLOSED = beginsWith("importer", "receive[^/?#]*", "panel", "control", "metrics");
/** An address at which there is nothing, for the log to tell. */
const NOWHERE = "/closed-in-the-local-network";

/**
 * Makes a call from the local network lead nowhere if its address is closed there, so that nothing about the answer
 * differs from that at an unknown address. No proxy is trusted there, so nobody else is named as its sender.
 */
export function closeInLan(request: IncomingMessage): void {
  delete request.headers["x-forwarded-for"];
  if (CLOSED.test(request.url ?? "")) request.url = NOWHERE;
}
