import { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/**
 * Tracks connections without any request so far: browsers open some in advance, and Node does not count them
 * as idle when a server closes. Returns a function that ends them.
 */
export function followSilent(server: Server | TlsServer): () => void {
  const silent = new Set<Socket>();
  server.on(server instanceof Server ? "connection" : "secureConnection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  for (const begun of ["request", "upgrade"] as const) {
    server.on(begun, ({ socket }: { readonly socket: Socket }) => silent.delete(socket));
  }
  return () => {
    for (const socket of silent) socket.destroy();
  };
}
