import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ControlError } from "./control-call.ts";

/** The header in which a call shows the secret of this start. */
export const SECRET_HEADER = "x-soundferry-secret";

/** The origin of a page that has none, such as a `data:` page in Live's dialog. */
const NO_ORIGIN = "null";

/** The page in Live's dialog may read the answer; it has shown the secret by then. */
const READABLE_WITHOUT_ORIGIN = { "access-control-allow-origin": NO_ORIGIN, vary: "Origin" };

export interface GateOptions {
  readonly secret: string;
  /** Whether no secret is needed: a page alone holds nothing. */
  readonly isOpen: boolean;
}

/**
 * Lets a call in, or refuses it (rule N1).
 * @returns what the answer must say so that the caller can read it
 * @throws {ControlError} 403 to whoever is neither a program of the user's nor a page that is served here
 */
export function letIn(
  request: IncomingMessage,
  { secret, isOpen }: GateOptions,
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
 * What a browser is told that asks whether the page in Live's dialog may make a call; undefined where
 * the call is no such question. It can't show the secret yet, and learns nothing.
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

/**
 * The names of this very server, one of which the call bears. A name that was made to point here leads
 * a page past its browser's walls, but it shows in Host.
 */
function ownHosts({ headers, socket }: IncomingMessage): readonly string[] {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(headers.host ?? "")) throw new ControlError(403, "Unknown host.");
  return own;
}

function showsSecret(headers: IncomingHttpHeaders, secret: string): boolean {
  const shown = headers[SECRET_HEADER];
  return typeof shown === "string" && isSame(shown, secret);
}

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
