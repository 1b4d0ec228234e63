import type { FastifyRequest } from "fastify";
import type { Claimant } from "../domain/pairing/pairing-guesses.ts";

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"] as const;

/**
 * Who claims a code (rule P11). A call through a proxy on this computer isn't local, trusted or not: it may be
 * anybody's.
 */
export function claimantOf({ ip, socket, headers }: FastifyRequest): Claimant {
  const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  const isLocal = !isForwarded && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? "");
  return { address: ip, isLocal, isOwn: isLocal && !isFromAForeignPage(headers) };
}

/** The relay's own page names the very host it asks, by a name that always leads to this computer. */
function isFromAForeignPage({ origin, host }: FastifyRequest["headers"]): boolean {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.host !== host || !LOOPBACK_NAME.test(page.hostname);
}
