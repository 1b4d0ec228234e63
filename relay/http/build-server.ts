import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { REFUSED_CALL_BYTES } from "../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import { whenThere } from "../../core/eventual.ts";
import { answerMalformed, answerRefusal, toRefusal } from "./answer-refusal.ts";
import { authorizeAndHandle } from "./auth/authorize.ts";
import { callerOf } from "./auth/callers.ts";
import {
  ANSWERED,
  Call,
  type CallDeps,
  type Handled,
  type HttpMethod,
  pathPart,
  type Route,
} from "./call.ts";
import { addCallHooks, closeWhileDraining, type HookDeps } from "./call-hooks.ts";
import { loggedPath, noteRefusal, subjectOf } from "./call-log.ts";
import { addCommonHeaders } from "./common-headers.ts";
import { Connections } from "./connections.ts";
import type { Draining } from "./draining.ts";
import type { TrustedProxies } from "./host-guard.ts";
import { createHttpServer, listenTo } from "./http-server.ts";
import type { TlsFiles } from "./own-tls.ts";
import { addPages } from "./pages.ts";
import { askForBody, ConnectionLost } from "./read-body.ts";
import { ROUTES } from "./routes.ts";
import { sendAnswer } from "./send-answer.ts";
import { troubleOf } from "./trouble-log.ts";
import { addWebApp } from "./web-app.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** No route has a schema. Without these, each start would load the compilers for schemas, a hundred modules. */
const NO_COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler };

function noCompiler(): never {
  throw new Error("No route has a schema.");
}

interface ServerDeps extends CallDeps, HookDeps {
  readonly nextRequestId: () => string;
  readonly proxies: TrustedProxies;
  readonly tls: TlsFiles | undefined;
  /** True if apps reach the relay at an https address. */
  readonly isBehindHttps: boolean;
  /** A reader that takes nothing of an answer for this long is disconnected. */
  readonly unreadMs?: number | undefined;
}

/** The relay's HTTP server. It does not listen yet. */
interface HttpServer {
  readonly app: FastifyInstance;
  readonly connections: Connections;
}

export function buildServer(options: ServerDeps): HttpServer {
  const { context, proxies, unreadMs, tls, nextRequestId } = options;
  const http = createHttpServer(tls);
  const connections = new Connections(http, {
    admission: context.admission,
    proxies,
    unreadMs,
  });
  const fail = failWith(options);
  const app = Fastify({
    genReqId: nextRequestId,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 2000 },
    schemaController: { compilersFactory: NO_COMPILERS },
    serverFactory: (handler) =>
      listenTo(http, { connections, context, tls, nextRequestId }, handler),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, {
        isAnswering: connections.callsOf(socket) > 0,
        requestId: nextRequestId(),
      }),
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      fail(options.guardHost(request.raw) ?? refusal("PATH_UNKNOWN"), request, reply);
      // Fastify runs no hook for an address that it can't decode.
      options.callLog.finished(request, reply.statusCode, 0);
      options.onCall?.("none", request, { status: reply.statusCode, ms: 0 });
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  addCallHooks(app, options, connections);
  app.setErrorHandler((error, request, reply) => fail(error, request, reply));
  app.setNotFoundHandler((request, reply) => fail(refusal("PATH_UNKNOWN"), request, reply));
  addRoutes(app, options);
  const { pages } = options;
  if (pages !== undefined) addPages(app, pages, options.operator);
  if (pages?.webApp !== undefined) {
    const charge = (request: FastifyRequest, bytes: number) =>
      context.admission.refused.add(callerOf(request), REFUSED_CALL_BYTES + bytes);
    addWebApp(app, pages.webApp, { isBehindHttps: options.isBehindHttps, charge });
  }
  return { app, connections };
}

function addRoutes(app: FastifyInstance, options: ServerDeps): void {
  for (const route of ROUTES) {
    app.route({
      method: methodsOf(route),
      url: route.path,
      handler: (request, reply) =>
        answerCall(new Call(options, request, reply), route, options.draining),
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

function answerCall(call: Call, route: Route, draining: Draining): void {
  const { context, request, reply } = call;
  const answering = whenThere(handleCall(call, route, draining), (answer) => {
    if (answer === ANSWERED) return;
    // A call that ignores its body takes it: without a 100, Node would have to end the connection.
    askForBody(call);
    closeWhileDraining(draining, reply);
    sendAnswer(context.admission, request, reply, answer);
  });
  // What is thrown before is Fastify's to catch.
  if (answering instanceof Promise) answering.catch((error: unknown) => reply.send(error));
}

function handleCall(call: Call, route: Route, draining: Draining): Handled {
  if (route.work === undefined) return authorizeAndHandle(call, route);
  const { request } = call;
  const key = () => pathPart(call, "id") || (subjectOf(request).package ?? request.id);
  return draining.run(route.work, key, () => authorizeAndHandle(call, route));
}

function methodsByPath(routes: readonly Route[]): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const route of routes) {
    const methods = taken.get(route.path) ?? new Set();
    for (const method of methodsOf(route)) methods.add(method);
    taken.set(route.path, methods);
  }
  return taken;
}

/** HEAD works wherever GET does (rule E1): Node leaves out the body. */
function methodsOf({ method }: Route): HttpMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function failWith({ logTrouble, context }: ServerDeps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof ConnectionLost || request.socket.destroyed) {
      reply.hijack();
      request.raw.destroy();
      return;
    }
    const refused = toRefusal(error);
    context.meter.refused(refused.code);
    noteRefusal(request, refused);
    const trouble = troubleOf(error, refused);
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
