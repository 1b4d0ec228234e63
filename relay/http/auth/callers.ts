import type { IncomingMessage } from "node:http";
import { isProven } from "../../../core/quotas/budgets.ts";
import { type Caller, callingApp, callingImporter, strangerAt } from "../../domain/caller.ts";
import type { KnownApp } from "../../domain/pairing/known-tokens.ts";
import type { DeviceRecord } from "../../domain/ports.ts";
import type { FastifyRequest } from "fastify";
import { isLan } from "../lan/lan-socket.ts";
import type { Claimant } from "../../domain/pairing/pairing-guesses.ts";

/** The owner of a call's token. */
type Authorized =
  | { readonly app: KnownApp; readonly device?: undefined }
  | { readonly device: DeviceRecord; readonly app?: undefined };

const AUTHORIZED = Symbol("authorized");
const COUNTED = Symbol("counted");

/** Properties, not a WeakMap: that would keep every call's memory until the next full collection. */
type Call = IncomingMessage & { [AUTHORIZED]?: Authorized; [COUNTED]?: true };

/** Remembers a call's owner. Budgets need it only for some calls, so nothing is worked out yet. */
export function noteCaller(request: Call, who: Authorized): void {
  request[AUTHORIZED] = who;
}

/** Remembers that the limit of calls let a call with a valid token through (rule L1). */
export function noteCounted(request: Call): void {
  request[COUNTED] = true;
}

export function isCounted(request: Call): boolean {
  return request[COUNTED] === true;
}

/** Returns the ids of the token's owner. */
export function idsOf(request: Call): { readonly device?: string; readonly app?: string } {
  const who = request[AUTHORIZED];
  if (who === undefined) return {};
  if (who.app === undefined) return { device: who.device.deviceId };
  return { device: who.app.deviceId, app: who.app.pairingId };
}

/** Checks whether a call has the token of a proven device (rule L7). */
export function isOfProven(request: Call): boolean {
  const who = request[AUTHORIZED];
  return isProven((who?.app ?? who?.device)?.imports);
}

/** Returns a call's sender, as budgets count it; a stranger until its token was checked. */
export function callerOf({ raw, ip }: { readonly raw: Call; readonly ip: string }): Caller {
  const who = raw[AUTHORIZED];
  if (who === undefined) return strangerAt(ip);
  return who.app === undefined ? callingImporter(who.device, ip) : callingApp(who.app, ip);
}

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"] as const;

/**
 * Returns the claimant of a code (rule P11). A call through a proxy on this computer isn't local, trusted or not: it may
 * be anybody's.
 */
export function claimantOf({ ip, socket, headers }: FastifyRequest): Claimant {
  const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  const isInLan = isLan(socket);
  const isLocal = !isInLan && !isForwarded && isLoopback(socket.remoteAddress);
  return { address: ip, isInLan, isLocal, isOwn: isLocal && !isFromAForeignPage(headers) };
}

/** Checks whether an address, also one mapped into IPv6, is this computer's own. */
export function isLoopback(address = ""): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address);
}

/** The relay's own page names the very host it asks, by a name that always leads to this computer. */
function isFromAForeignPage({ origin, host }: FastifyRequest["headers"]): boolean {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.host !== host || !LOOPBACK_NAME.test(page.hostname);
}
