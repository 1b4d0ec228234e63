import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { SOCKET_PROTOCOL, SOCKET_TOKEN_PREFIX } from "../../../core/protocol/importer-api.ts";
import { refusal } from "../../../core/protocol/refusal.ts";

/**
 * Returns the token of the `Authorization` header; empty, which is never valid, if the header has none (rule A2).
 * @throws {Refusal} 401 TOKEN_MISSING without the header
 */
export function bearerToken({ authorization }: IncomingHttpHeaders): string {
  if (authorization === undefined) throw refusal("TOKEN_MISSING");
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

const SAID = Symbol("said");

/** A connection with the header that it sent last, and its token. */
type SayingSocket = Socket & {
  [SAID]?: { readonly authorization: string | undefined; readonly token: string };
};

/** Returns a call's token as `bearerToken` does. Nearly every call repeats the header of its connection's last one. */
export function tokenOf({
  headers,
  socket,
}: IncomingMessage & { readonly socket: SayingSocket }): string {
  const { authorization } = headers;
  const said = socket[SAID];
  if (said !== undefined && said.authorization === authorization) return said.token;
  const token = bearerToken(headers);
  socket[SAID] = { authorization, token };
  return token;
}

/**
 * Returns a socket's headers with the token that a page sent as a subprotocol (rule I3): a browser lets none set other headers.
 * Only the relay's own page may, at the host that it calls.
 */
export function socketHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization, origin = "", host } = headers;
  const [protocol, token = "", ...others] = String(headers["sec-websocket-protocol"]).split(/, */);
  const isOwnPage = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  const isComplete =
    protocol === SOCKET_PROTOCOL && token.startsWith(SOCKET_TOKEN_PREFIX) && others.length === 0;
  return authorization === undefined && isOwnPage && isComplete
    ? { ...headers, authorization: `Bearer ${token.slice(SOCKET_TOKEN_PREFIX.length)}` }
    : headers;
}
