import { once } from "node:events";
import { WebSocket } from "ws";
import type { RunningRelay } from "../running-relay.ts";

/** An importer's open socket. */
export async function openSocket(
  relay: Pick<RunningRelay, "url">,
  token: string,
): Promise<WebSocket> {
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, "open");
  return socket;
}

/** The messages that arrive from now on, each as its text. */
export function messagesOf(socket: WebSocket): string[] {
  const messages: string[] = [];
  socket.on("message", (message) => {
    if (Buffer.isBuffer(message)) messages.push(message.toString());
  });
  return messages;
}
