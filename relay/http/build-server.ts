import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { MAX_HEADERS_SECONDS } from "../../core/limits.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import { answerRefusal, toRefusal } from "./answer-refusal.ts";
import { type Answer, ANSWERED, type Route } from "./call.ts";
import { type LoggedAddresses, logCall, loggedPath, pathOf } from "./call-log.ts";
import { answerPreflight, CORS_HEADERS, isOpenToPages } from "./cors.ts";
import { authorizeAndHandle } from "./auth/authorize.ts";
import { addPages, type RelayPages } from "./pages.ts";
import { answerMalformed } from "./malformed.ts";
import { ConnectionLost } from "./read-body.ts";
import { ROUTES } from "./routes.ts";
import { SOCKET_PATH } from "./socket.ts";
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
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly stopping: AbortSignal;
  /** Without pages, the relay serves only programs. */
  readonly pages?: RelayPages | undefined;
  /** Called after every finished call with its path pattern. */
  readonly onCall?: (pattern: string, request: FastifyRequest, reply: FastifyReply) => void;
}

/** Builds the relay's HTTP server. It does not listen yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const answering = new WeakMap<Socket, number>();
  const fail = failWith(options.logTrouble);
  const app = Fastify({
    genReqId: options.nextRequestId,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 2000 },
    serverFactory: (handler) => createHttpServer(options, handler, answering),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, {
        isAnswering: (answering.get(socket) ?? 0) > 0,
        requestId: options.nextRequestId(),
      }),
    frameworkErrors: (_error, request, reply) => {
      decorate(request, reply);
      fail(refusal("PATH_UNKNOWN"), request, reply);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const watchProxy = proxyWatch(options);
  app.addHook("onRequest", (request, reply, done) => {
    decorate(request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw refusal("REQUEST_MALFORMED");
    }
    watchProxy(request);
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
  app.addHook("onResponse", (request, reply, done) => {
    logCall(options.log, options.logAddresses, request, reply);
    options.onCall?.(request.routeOptions.url ?? "none", request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => fail(error, request, reply));
  app.setNotFoundHandler((request, reply) => fail(refusal("PATH_UNKNOWN"), request, reply));
  addRoutes(app, options);
  if (options.pages !== undefined) addPages(app, options.pages);
  return app;
}

function addRoutes(app: FastifyInstance, { context, idleMs, stopping }: ServerOptions): void {
  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) =>
        authorizeAndHandle({ context, request, reply, idleMs, stopping }, route).then((answer) =>
          answer === ANSWERED ? reply : send(reply, answer),
        ),
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

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ("text" in answer) {
    const { status, text, contentType, headers = {} } = answer;
    return reply.code(status).headers(headers).header("content-type", contentType).send(text);
  }
  return reply
    .code(answer.status)
    .header("content-type", "application/json; charset=utf-8")
    .send("json" in answer ? answer.json : JSON.stringify(answer.body));
}

function decorate(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  if (isOpenToPages(request.url)) reply.headers(CORS_HEADERS);
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

function failWith(logTrouble: LogTrouble) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof ConnectionLost || request.socket.destroyed) {
      reply.hijack();
      request.raw.destroy();
      return;
    }
    const refused = toRefusal(error);
    const trouble = refused.status >= 500 && refused !== error ? error : refused.cause;
    if (trouble !== undefined) {
      const path = loggedPath(request.url);
      logTrouble(trouble, "trouble", { request_id: request.id, method: request.method, path });
    }
    answerRefusal(request, reply, refused);
  };
}

function createHttpServer(
  { tls }: ServerOptions,
  handler: (request: IncomingMessage, answer: Parameters<RequestListener>[1]) => void,
  answering: WeakMap<Socket, number>,
): Server {
  const listener: RequestListener = (request, answer) => {
    // Content-Type never decides anything (rule M10), but Fastify would refuse a malformed one.
    delete request.headers["content-type"];
    const { socket } = request;
    const count = (more: number) => answering.set(socket, (answering.get(socket) ?? 0) + more);
    count(1);
    answer.once("finish", () => count(-1));
    handler(request, answer);
  };
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
  const server =
    tls === undefined
      ? createServer(serverOptions, listener)
      : createTlsServer({ ...serverOptions, ...tls }, listener);
  // Ignores an unknown Expect header, which Node would refuse without a body.
  return server.on("checkExpectation", listener);
}
