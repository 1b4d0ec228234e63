import { NOTHING_LOADS } from "../../core/protocol/content-policy.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Context } from "../domain/context.ts";
import { isLoopback, isOfProven } from "./auth/callers.ts";
import { type CallLog, pathOf } from "./call-log.ts";
import type { Connections } from "./connections.ts";
import { answerOptions, CORS_HEADERS, isOpenToPages } from "./cors.ts";
import type { Draining } from "./draining.ts";
import { type HostGuard, PROBE_PATHS } from "./host-guard.ts";

/** Called after every finished call with its path pattern. */
export type OnCall = (pattern: string, request: FastifyRequest, reply: FastifyReply) => void;

/** The server's parts that the hooks need. */
export interface HookDeps {
  readonly context: Context;
  readonly log: Logger;
  readonly callLog: CallLog;
  readonly trustProxy: readonly string[];
  readonly guardHost: HostGuard;
  readonly draining: Draining;
  readonly onCall?: OnCall;
}

/** Adds the steps that every call goes through, whatever it asks for. */
export function addCallHooks(
  app: FastifyInstance,
  options: HookDeps,
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
    // A service manager's probes are answered also at a blocked address (rule AD3).
    if (!PROBE_PATHS.has(pathOf(request.url))) options.context.operator.admitAddress(request.ip);
    done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    closeWhileDraining(options.draining, reply);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (isOfProven(request.raw)) connections.markProven(request.raw.socket);
    options.callLog.finished(request, reply);
    options.onCall?.(request.routeOptions.url ?? "none", request, reply);
    done();
  });
}

/** Adds the headers that every answer has. */
export function decorate(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header("x-request-id", request.id)
    .header("x-content-type-options", "nosniff")
    // What is the same for everybody replaces it (rule SEC1).
    .header("cache-control", "no-store")
    .header("content-security-policy", NOTHING_LOADS)
    .header(RELAY_MARK.name, RELAY_MARK.value);
  if (isOpenToPages(request.url)) reply.headers(CORS_HEADERS);
}

/** Closes the connection, so that the client's next call goes to the relay that follows, once that listens (rule K11). */
function closeWhileDraining({ isDraining }: Draining, reply: FastifyReply): void {
  if (isDraining) reply.header("connection", "close");
}

/** Returns a function that warns once if an untrusted proxy sits in front of the relay (rule K4). */
function proxyWatch({ log, trustProxy }: HookDeps): (request: FastifyRequest) => void {
  let isWatching = trustProxy.length === 0;
  return (request) => {
    if (!isWatching || request.headers["x-forwarded-for"] === undefined) return;
    if (!isLoopback(request.ip)) return;
    isWatching = false;
    log.warn(
      "A proxy on this machine forwards calls, and all of them count as from one address. Set SOUNDFERRY_TRUST_PROXY=127.0.0.1,::1 if it is yours.",
    );
  };
}
