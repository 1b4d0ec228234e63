import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { REFUSED_CALL_BYTES } from "../../core/quotas/budgets.ts";
import { MAX_HEADERS_SECONDS } from "../../core/limits.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import { answerRefusal, toRefusal } from "./answer-refusal.ts";
import { ANSWERED, type Call, pathPart, type Route } from "./call.ts";
import { type LoggedAddresses, logCall, loggedPath, pathOf, subjectOf } from "./call-log.ts";
import type { Draining } from "./draining.ts";
import { answerPreflight, CORS_HEADERS, isOpenToPages } from "./cors.ts";
import { authorizeAndHandle } from "./auth/authorize.ts";
import { callerOf, isOfProven } from "./auth/callers.ts";
import { sendAnswer } from "./send-answer.ts";
import { addPages, type RelayPages } from "./pages.ts";
import { Connections } from "./connections.ts";
import { endWithRefusal } from "./end-with-refusal.ts";
import { answerMalformed } from "./malformed.ts";
import type { HostGuard } from "./host-guard.ts";
import { ConnectionLost } from "./read-body.ts";
import { ROUTES } from "./routes.ts";
import { SOCKET_PATH } from "./socket.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";
import type { LogTrouble } from "./trouble-log.ts";

/** The time limit for a request's headers, so that slow clients can't pile up connections (slowloris). */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A service manager asks these, also at a blocked address (rule AD3). */
const SERVED_TO_ALL: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

export interface ServerOptions {
  readonly context: Context;
  readonly log: Logger;
  readonly logTrouble: LogTrouble;
  readonly nextRequestId: () => string;
  readonly logAddresses: LoggedAddresses;
  readonly idleMs: number;
  readonly trustProxy: readonly string[];
  readonly proxies: TrustedProxies;
  readonly guardHost: HostGuard;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly draining: Draining;
  /** A reader that takes nothing of an answer for this long is disconnected. */
  readonly unreadMs?: number | undefined;
  /** Without pages, the relay serves only programs. */
  readonly pages?: RelayPages | undefined;
  /** Called after every finished call with its path pattern. */
  readonly onCall?: OnCall;
}

export type OnCall = (pattern: string, request: FastifyRequest, reply: FastifyReply) => void;

/** The relay's HTTP server. It does not listen yet. */
export interface HttpServer {
  readonly app: FastifyInstance;
  readonly connections: Connections;
}

export function buildServer(options: ServerOptions): HttpServer {
  const { context, proxies, unreadMs } = options;
  const http = createHttpServer(options.tls);
  const connections = new Connections(http, {
    admission: context.admission,
    proxies,
    unreadMs,
  });
  const fail = failWith(options);
  const app = Fastify({
    genReqId: options.nextRequestId,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 2000 },
    serverFactory: (handler) => listenTo(http, { connections, context }, handler),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, {
        isAnswering: connections.callsOf(socket) > 0,
        requestId: options.nextRequestId(),
      }),
    frameworkErrors: (_error, request, reply) => {
      decorate(request, reply);
      fail(options.guardHost(request.raw) ?? refusal("PATH_UNKNOWN"), request, reply);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  addHooks(app, options, connections);
  app.setErrorHandler((error, request, reply) => fail(error, request, reply));
  app.setNotFoundHandler((request, reply) => fail(refusal("PATH_UNKNOWN"), request, reply));
  addRoutes(app, options);
  if (options.pages !== undefined) addPages(app, options.pages);
  return { app, connections };
}

/** What every call goes through, whatever it asks for. */
function addHooks(app: FastifyInstance, options: ServerOptions, connections: Connections): void {
  const watchProxy = proxyWatch(options);
  app.addHook("onRequest", (request, reply, done) => {
    decorate(request, reply);
    closeWhileDraining(options.draining, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw refusal("REQUEST_MALFORMED");
    }
    watchProxy(request);
    const refused = options.guardHost(request.raw);
    if (refused !== undefined) throw refused;
    if (request.method === "OPTIONS" && isOpenToPages(request.url)) {
      answerPreflight(
        reply,
        request.headers["access-control-request-private-network"] !== undefined,
      );
      return;
    }
    if (!SERVED_TO_ALL.has(pathOf(request.url))) options.context.operator.admitAddress(request.ip);
    done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    closeWhileDraining(options.draining, reply);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (isOfProven(request.raw)) connections.vouch(request.raw.socket);
    logCall(options.log, options.logAddresses, request, reply);
    options.onCall?.(request.routeOptions.url ?? "none", request, reply);
    done();
  });
}

function addRoutes(app: FastifyInstance, { context, idleMs, draining }: ServerOptions): void {
  const callOf = (request: FastifyRequest, reply: FastifyReply): Call => ({
    context,
    request,
    reply,
    idleMs,
    stopping: draining.holdEnds,
    get caller() {
      return callerOf(request);
    },
  });
  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => {
        const call = callOf(request, reply);
        const key = () => pathPart(call, "id") || (subjectOf(request)?.package ?? request.id);
        return draining
          .run(route.work, key, () => authorizeAndHandle(call, route))
          .then((answer) =>
            answer === ANSWERED ? reply : sendAnswer(context.admission, request, reply, answer),
          );
      },
    });
  }
  for (const [path, taken] of methodsByPath(ROUTES)) {
    app.route({
      method: METHODS.filter((method) => !taken.has(method)),
      url: path,
      handler: (request, reply) => {
        reply.header("allow", [...taken].join(", "));
        throw refusal("METHOD_WRONG", { method: request.method });
      },
    });
  }
}

function methodsByPath(routes: readonly Route[]): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
  }
  return taken;
}

function decorate(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
  if (isOpenToPages(request.url)) reply.headers(CORS_HEADERS);
}

/** The next call of this client is then one to the relay that follows, as soon as that listens (rule K11). */
function closeWhileDraining({ isDraining }: Draining, reply: FastifyReply): void {
  if (isDraining) reply.header("connection", "close");
}

/** Warns once when an untrusted proxy sits in front of the relay (rule K4). */
function proxyWatch({ log, trustProxy }: ServerOptions): (request: FastifyRequest) => void {
  let isWatching = trustProxy.length === 0;
  return (request) => {
    if (!isWatching || request.headers["x-forwarded-for"] === undefined) return;
    if (!/^(::ffff:)?127\.|^::1$/.test(request.ip)) return;
    isWatching = false;
    log.warn(
      "A proxy on this machine forwards calls, and all of them count as from one address. Set SOUNDFERRY_TRUST_PROXY=127.0.0.1,::1 if it is yours.",
    );
  };
}

function failWith({ logTrouble, context }: ServerOptions) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof ConnectionLost || request.socket.destroyed) {
      reply.hijack();
      request.raw.destroy();
      return;
    }
    const refused = toRefusal(error);
    context.meter.refused(refused.code);
    const trouble = refused.status >= 500 && refused !== error ? error : refused.cause;
    if (trouble !== undefined) {
      const path = loggedPath(request.url);
      logTrouble(trouble, "trouble", { request_id: request.id, method: request.method, path });
    }
    const charge = (bytes: number) => {
      if (costs(refused))
        context.admission.refused.add(callerOf(request), REFUSED_CALL_BYTES + bytes);
    };
    answerRefusal(request, reply, { refused, charge });
  };
}

/** A limit's refusal costs nothing more, and a relay's own trouble is nobody else's fault (rule L9). */
function costs({ status }: Refusal): boolean {
  return status < 500 && status !== 429 && status !== 409;
}

type Handler = (request: IncomingMessage, answer: Parameters<RequestListener>[1]) => void;

function createHttpServer(tls: ServerOptions["tls"]): Server {
  const serverOptions = {
    // Node would refuse a missing Host header without a body (rule E1).
    requireHostHeader: false,
    // Some clients offer h2c to every server. Only the socket's path upgrades; other offers are ignored.
    shouldUpgradeCallback: ({ url = "" }: IncomingMessage) => pathOf(url) === SOCKET_PATH,
    headersTimeout: MAX_HEADERS_SECONDS * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 72_000,
  };
  return tls === undefined
    ? createServer(serverOptions)
    : createTlsServer({ ...serverOptions, ...tls });
}

function listenTo(
  server: Server,
  { connections, context }: { readonly connections: Connections; readonly context: Context },
  handler: Handler,
): Server {
  const listener: RequestListener = (request, answer) => {
    // Content-Type never decides anything (rule M10), but Fastify would refuse a malformed one.
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
