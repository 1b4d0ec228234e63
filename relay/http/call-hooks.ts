import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOfProven } from "./auth/callers.ts";
import type { ServerOptions } from "./build-server.ts";
import { logCall, pathOf } from "./call-log.ts";
import type { Connections } from "./connections.ts";
import { answerOptions, CORS_HEADERS, isOpenToPages } from "./cors.ts";
import type { Draining } from "./draining.ts";

/** A service manager asks these, also at a blocked address (rule AD3). */
const SERVED_TO_ALL: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

const CLAIM_PATH = "/pair/claim";

/** What every call goes through, whatever it asks for. */
export function addCallHooks(
  app: FastifyInstance,
  options: ServerOptions,
  connections: Connections,
): void {
  const watchProxy = proxyWatch(options);
  app.addHook("onRequest", (request, reply, done) => {
    decorate(request, reply);
    closeWhileDraining(options.draining, reply);
    watchProxy(request);
    const refused = options.guardHost(request.raw);
    if (refused !== undefined) throw refused;
    if (request.method === "OPTIONS" && isOpenToPages(request.url)) {
      answerOptions(request, reply);
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

/** The headers that every answer has. */
export function decorate(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
  if (isOpenToPages(request.url)) reply.headers(CORS_HEADERS);
  // It carries a secret, and nobody may answer the next claim with it (rule P11).
  if (request.routeOptions.url === CLAIM_PATH) reply.header("cache-control", "no-store");
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
