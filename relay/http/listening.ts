import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";

/** How long a stopping relay lets running uploads go on. */
const STOP_GRACE_MS = 10_000;
/** A connection that has had its answer is closed at the latest after so long when the relay stops. */
const CLOSE_IDLE_MS = 50;

/**
 * Lets running calls end, but not for ever.
 * @param closeSilent ends the connections on which nothing was asked so far
 */
export async function closeGently(server: FastifyInstance, closeSilent: () => void): Promise<void> {
  const hurry = setTimeout(() => server.server.closeAllConnections(), STOP_GRACE_MS);
  const closeIdle = setInterval(() => {
    server.server.closeIdleConnections();
    closeSilent();
  }, CLOSE_IDLE_MS);
  await server.close();
  clearInterval(closeIdle);
  clearTimeout(hurry);
}

/** The address of a server that listens, as it can be opened on this machine. */
export function urlOf(server: Server, scheme: "http" | "https"): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const isAny = address.address === "0.0.0.0" || address.address === "::";
  const host = isAny ? "127.0.0.1" : address.address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
