import { createServer, type Server } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

import { errorHeaders, errorJson } from "./answer-refusal.ts";
import type { HostGuard } from "./host-guard.ts";

/** Call counts for Prometheus, on a separate listener (rule K4). */
export interface Metrics {
  readonly onCall: (pattern: string, request: FastifyRequest, reply: FastifyReply) => void;
  readonly server: Server;
}

/** Labels are the route's pattern, method and status, never an id, token or client name (rules A1, E4). */
export function buildMetrics(guardHost: HostGuard): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "soundferry_" });
  const calls = new Counter({
    name: "soundferry_calls_total",
    help: "Calls answered.",
    labelNames: ["method", "path", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "soundferry_call_seconds",
    help: "Time from request to the end of its answer.",
    labelNames: ["method", "path"],
    registers: [registry],
  });
  const server = createServer((request, answer) => {
    const refused = guardHost(request);
    if (refused !== undefined) {
      const body = errorJson(refused);
      answer.writeHead(refused.status, {
        ...errorHeaders(refused),
        "content-length": Buffer.byteLength(body),
      });
      answer.end(body);
      return;
    }
    if (request.url !== "/metrics") {
      answer.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => answer.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  });
  return {
    server,
    onCall: (path, { method }, { statusCode, elapsedTime }) => {
      calls.inc({ method, path, status: statusCode });
      seconds.observe({ method, path }, elapsedTime / 1000);
    },
  };
}
