import { once } from "node:events";
import { WebSocket } from "ws";
import type { RunningRelay } from "../running-relay.ts";

/** An importer's open socket. */
export async function openSocket(relay: RunningRelay, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, "open");
  return socket;
}
