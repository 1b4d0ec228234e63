import type { Server } from "node:http";

/** The URL of a server that listens on 127.0.0.1. */
export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  return `http://127.0.0.1:${address.port}`;
}
