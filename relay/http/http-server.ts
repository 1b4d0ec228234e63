import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { MAX_HEADERS_SECONDS } from "../../core/limits.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import { pathOf } from "./call-log.ts";
import type { ServerOptions } from "./build-server.ts";
import type { Connections } from "./connections.ts";
import { CORS_HEADERS } from "./cors.ts";
import { endWithRefusal } from "./end-with-refusal.ts";
import { SOCKET_PATH } from "./socket.ts";

type Handler = (request: IncomingMessage, answer: Parameters<RequestListener>[1]) => void;

/** A bare server, with the time limits against slow callers. */
export function createHttpServer(tls: ServerOptions["tls"]): Server {
  const serverOptions = {
    // Node would refuse a missing Host header without a body (rule E1).
    requireHostHeader: false,
    // Some clients offer h2c to every server. Only the socket's path upgrades; other offers are ignored.
    shouldUpgradeCallback: ({ url = "" }: IncomingMessage) => pathOf(url) === SOCKET_PATH,
    // Slow clients can't pile up connections before their call (slowloris).
    headersTimeout: MAX_HEADERS_SECONDS * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 72_000,
  };
  return tls === undefined
    ? createServer(serverOptions)
    : createTlsServer({ ...serverOptions, ...tls, handshakeTimeout: serverOptions.headersTimeout });
}

/** Has Fastify handle the calls of a server whose connections are counted. */
export function listenTo(
  server: Server,
  { connections, context }: { readonly connections: Connections; readonly context: Context },
  handler: Handler,
): Server {
  const listener: RequestListener = (request, answer) => {
    // Content-Type decides nothing but an append (rule M10), but Fastify would refuse a malformed one.
    delete request.headers["content-type"];
    const end = connections.begin(request);
    if (end === "ended") return;
    if (end instanceof Refusal) {
      context.meter.refused(end.code);
      return endWithRefusal(request.socket, end, CORS_HEADERS);
    }
    answer.once("close", end);
    handler(request, answer);
  };
  // Ignores an unknown Expect header, which Node would refuse without a body.
  return server.on("request", listener).on("checkExpectation", listener);
}
