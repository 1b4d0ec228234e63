import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Context } from "../domain/context.ts";
import { isLoopback, isOfProven } from "./auth/callers.ts";
import { type CallLog, pathOf } from "./call-log.ts";
import type { Connections } from "./connections.ts";
import { addCommonHeaders } from "./common-headers.ts";
import { answerOptions, isOpenToPages } from "./cors.ts";
import type { Draining } from "./draining.ts";
import type { LogTrouble } from "./trouble-log.ts";
import { type HostGuard, PROBE_PATHS } from "./host-guard.ts";

/** Called after every finished call with its path pattern, its status and the time that it took. */
export type OnCall = (
  pattern: string,
  request: FastifyRequest,
  outcome: { readonly status: number; readonly ms: number },
) => void;

/** The server's parts that the hooks need. */
export interface HookDeps {
  readonly context: Context;
  readonly log: Logger;
  readonly callLog: CallLog;
  readonly logTrouble: LogTrouble;
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
  const { callLog, logTrouble, onCall } = options;
  const { operator } = options.context;
  const watchProxy = proxyWatch(options);
  const finished = (request: FastifyRequest, reply: FastifyReply, startedAt: number) => {
    const ms = performance.now() - startedAt;
    if (isOfProven(request.raw)) connections.markProven(request.raw.socket);
    callLog.finished(request, reply.statusCode, ms);
    onCall?.(request.routeOptions.url ?? "none", request, { status: reply.statusCode, ms });
  };
  const failed = (error: Error) => logTrouble(error, "an answer failed");
  app.addHook("onRequest", (request, reply, done) => {
    const startedAt = performance.now();
    // Fastify's own hook for this would cost two listeners and five closures for each call.
    reply.raw.on("finish", () => finished(request, reply, startedAt)).on("error", failed);
    closeWhileDraining(options.draining, reply);
    watchProxy(request);
    const refused = options.guardHost(request.raw);
    if (refused !== undefined) throw refused;
    if (request.method === "OPTIONS" && isOpenToPages(request.url)) {
      answerOptions(request, reply);
      return;
    }
    // A service manager's probes are answered also at a blocked address (rule AD3).
    if (operator.blocksAddresses && !PROBE_PATHS.has(pathOf(request.url))) {
      operator.admitAddress(request.ip);
    }
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    addCommonHeaders(request, reply);
    closeWhileDraining(options.draining, reply);
    done();
  });
}

/** Closes the connection, so that the client's next call goes to the relay that follows, once that listens (rule K11). */
export function closeWhileDraining({ isDraining }: Draining, reply: FastifyReply): void {
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
