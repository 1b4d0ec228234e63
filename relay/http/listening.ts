import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";

/** How long running uploads may continue once the relay stops. */
const STOP_GRACE_MS = 10_000;
/** The same after draining, and once no upload can succeed any more. */
const HASTY_GRACE_MS = 500;
/** How soon an idle connection is closed once the relay stops. */
const CLOSE_IDLE_MS = 50;

/**
 * Waits a limited time for running calls to finish.
 * @param closeUnused ends connections without any request so far
 * @param options `endSockets` ends the connections that were upgraded
 */
export async function closeGently(
  server: FastifyInstance,
  closeUnused: () => void,
  { isHasty, endSockets }: { readonly isHasty: boolean; readonly endSockets: () => void },
): Promise<void> {
  const graceMs = isHasty ? HASTY_GRACE_MS : STOP_GRACE_MS;
  const hurry = setTimeout(() => {
    server.server.closeAllConnections();
    endSockets();
  }, graceMs);
  const closeIdle = setInterval(() => {
    server.server.closeIdleConnections();
    closeUnused();
  }, CLOSE_IDLE_MS);
  await server.close();
  clearInterval(closeIdle);
  clearTimeout(hurry);
}

/** The URL of a listening server, as this machine can open it. */
export function urlOf(server: Server, scheme: "http" | "https"): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const isAny = address.address === "0.0.0.0" || address.address === "::";
  const host = isAny ? "127.0.0.1" : address.address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
