import { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/**
 * Tracks connections without any request so far: browsers open some in advance, and Node does not count them
 * as idle when a server closes. Returns a function that ends them.
 */
export function trackUnusedConnections(server: Server | TlsServer): () => void {
  const unused = new Set<Socket>();
  server.on(server instanceof Server ? "connection" : "secureConnection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  for (const event of ["request", "upgrade"] as const) {
    server.on(event, ({ socket }: { readonly socket: Socket }) => unused.delete(socket));
  }
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
