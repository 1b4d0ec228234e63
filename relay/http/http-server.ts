import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { MAX_HEADER_BYTES, MAX_HEADERS_SECONDS } from "../../core/limits.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import { pathOf } from "./call-log.ts";
import type { Connections } from "./connections.ts";
import { commonHeaders } from "./common-headers.ts";
import { endWithRefusal } from "./answer-refusal.ts";
import { closeInLan, isLan } from "./lan/lan-socket.ts";
import { isPublicCertificate, STRICT_TRANSPORT, STRONG_TLS, type TlsFiles } from "./own-tls.ts";
import { normalizeTarget } from "./request-target.ts";
import { SOCKET_PATH } from "./socket.ts";
import { nodeHttp } from "../../program/node-http.ts";
import type { FastifyInstance } from "fastify";

/** The time for which running uploads may continue once the relay stops. */
const STOP_GRACE_MS = 10_000;
/** The same time after draining, and when no upload can succeed any more. */
const HASTY_GRACE_MS = 500;
/** The time between two looks for idle connections once the relay stops. */
const CLOSE_IDLE_MS = 50;

type Handler = (request: IncomingMessage, answer: Parameters<RequestListener>[1]) => void;

/** Creates a bare server, with the time limits against slow callers. */
export function createHttpServer(tls: TlsFiles | undefined): Server {
  const serverOptions = {
    // Node would refuse a missing Host header without a body (rule E1).
    requireHostHeader: false,
    // Some clients offer h2c to every server. Only the socket's path upgrades; other offers are ignored.
    shouldUpgradeCallback: (request: IncomingMessage) => pathOf(targetOf(request)) === SOCKET_PATH,
    // Slow clients can't pile up connections before their call (slowloris).
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: MAX_HEADERS_SECONDS * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 72_000,
  };
  return tls === undefined
    ? nodeHttp.createServer(serverOptions)
    : createTlsServer({
        ...serverOptions,
        ...STRONG_TLS,
        ...tls,
        handshakeTimeout: serverOptions.headersTimeout,
      });
}

interface ListenDeps {
  readonly connections: Connections;
  readonly context: Context;
  readonly tls: TlsFiles | undefined;
  readonly nextRequestId: () => string;
}

/** Passes a server's calls to Fastify, and counts its connections. */
export function listenTo(
  server: Server,
  { connections, context, tls, nextRequestId }: ListenDeps,
  handler: Handler,
): Server {
  const strict = new Map(
    Object.entries(tls !== undefined && isPublicCertificate(tls) ? STRICT_TRANSPORT : {}),
  );
  const listener: RequestListener = (request, answer) => {
    // Content-Type decides nothing but an append (rule M10), but Fastify would refuse a malformed one.
    forget(request, "content-type");
    targetOf(request);
    const end = connections.begin(request);
    if (end === "ended") return;
    if (end instanceof Refusal) {
      context.meter.refused(end.code);
      const { method, socket, url = "" } = request;
      const headers = commonHeaders(url, nextRequestId());
      return endWithRefusal(socket, end, headers, method === "HEAD" ? "" : undefined);
    }
    if (strict.size > 0) answer.setHeaders(strict);
    answer.on("close", end);
    handler(request, answer);
  };
  // Ignores an unknown Expect header, which Node would refuse without a body, and any in HTTP/1.0.
  const unexpected: RequestListener = (request, answer) => {
    forget(request, "expect");
    listener(request, answer);
  };
  return server
    .on("request", unexpected)
    .on("checkExpectation", unexpected)
    .on("checkContinue", listener);
}

/** Gives a call the one spelling of its address; what is closed in the local network leads nowhere there. */
function targetOf(request: IncomingMessage): string {
  normalizeTarget(request);
  if (isLan(request.socket)) closeInLan(request);
  return request.url ?? "";
}

/** Removes a header. Nearly no call has it, and removing nothing costs more than looking. */
function forget({ headers }: IncomingMessage, name: "content-type" | "expect"): void {
  if (headers[name] !== undefined) delete headers[name];
}

/**
 * Closes the server. Waits a limited time for running calls to finish.
 * @param closeUnused ends connections without any request so far
 * @param options `endSockets` ends the connections that were upgraded, `closeLan` the listeners in the local network
 */
export async function closeGently(
  server: FastifyInstance,
  closeUnused: () => void,
  {
    isHasty,
    endSockets,
    closeLan,
  }: {
    readonly isHasty: boolean;
    readonly endSockets: () => void;
    readonly closeLan: () => Promise<void>;
  },
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
  await Promise.all([closeLan(), server.close()]);
  clearInterval(closeIdle);
  clearTimeout(hurry);
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number | undefined;
  readonly scheme: "http" | "https";
}

/** Starts to listen, with the metrics on a port of their own. Rejects when a port is in use. */
export async function startListening(
  app: FastifyInstance,
  metrics: Server | undefined,
  { host, port, metricsPort, scheme }: ListenOptions,
): Promise<{ readonly url: string; readonly metricsUrl: string | undefined }> {
  await app.listen({ host, port });
  if (metrics !== undefined) await once(metrics.listen(metricsPort, host), "listening");
  return {
    url: urlOf(app.server, scheme),
    metricsUrl: metrics && `${urlOf(metrics, "http")}/metrics`,
  };
}

/** Returns the URL of a listening server, as this machine can open it. */
export function urlOf(server: Server, scheme: "http" | "https"): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const isAny = address.address === "0.0.0.0" || address.address === "::";
  const host = isAny ? "127.0.0.1" : address.address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
