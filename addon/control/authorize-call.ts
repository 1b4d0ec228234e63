import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ControlError } from "./control-call.ts";

/** The header of a call's secret, which is new at each start. */
export const SECRET_HEADER = "x-soundferry-secret";

/** The origin of a `data:` page, such as the one in Live's dialog. */
const NO_ORIGIN = "null";

/** Lets the page in Live's dialog read the answer, after it has sent the secret. */
const READABLE_WITHOUT_ORIGIN = { "access-control-allow-origin": NO_ORIGIN, vary: "Origin" };

export interface AuthorizeCallOptions {
  readonly secret: string;
  /** Needs no secret: the page alone contains nothing private. */
  readonly isOpen: boolean;
}

/**
 * Authorizes a call, against CSRF and DNS rebinding (rule N1).
 * @returns the CORS headers for the answer
 * @throws {ControlError} 403 unless the caller is a program of the user's or a page that is served here
 */
export function authorizeCall(
  request: IncomingMessage,
  { secret, isOpen }: AuthorizeCallOptions,
): Readonly<Record<string, string>> {
  const { headers } = request;
  const own = ownHosts(request);
  const { origin } = headers;
  const isOwn = origin === undefined || own.some((host) => origin === `http://${host}`);
  if (!isOwn && origin !== NO_ORIGIN) {
    throw new ControlError(403, "Web pages can't call this address.");
  }
  if (isOpen) return {};
  if (!showsSecret(headers, secret)) {
    throw new ControlError(403, "The one-time key is missing or wrong.");
  }
  return isOwn ? {} : READABLE_WITHOUT_ORIGIN;
}

/**
 * Returns the answer's headers for a CORS preflight of the page in Live's dialog, or undefined for other
 * calls. A preflight can't send the secret, and its answer reveals nothing.
 * @throws {ControlError} 403 when it names another host
 */
export function preflightHeaders(request: IncomingMessage): OutgoingHttpHeaders | undefined {
  const { method, headers } = request;
  if (method !== "OPTIONS" || headers.origin !== NO_ORIGIN) return undefined;
  ownHosts(request);
  return {
    ...READABLE_WITHOUT_ORIGIN,
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": `${SECRET_HEADER}, content-type`,
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  };
}

/** Returns this server's names. `Host` must be one of them: under DNS rebinding it is another one. */
function ownHosts({ headers, socket }: IncomingMessage): readonly string[] {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(headers.host ?? "")) throw new ControlError(403, "Unknown host.");
  return own;
}

function showsSecret(headers: IncomingHttpHeaders, secret: string): boolean {
  const shown = headers[SECRET_HEADER];
  return typeof shown === "string" && isSame(shown, secret);
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
