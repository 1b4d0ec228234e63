import { createServer, type Server } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Meter } from "../../domain/meter.ts";
import { MAX_UNREAD_SECONDS } from "../../../core/quotas/budgets.ts";
import { errorHeaders, errorJson } from "../answer-refusal.ts";
import type { OnCall } from "../build-server.ts";
import { callMetrics } from "./call-metrics.ts";
import type { HostGuard } from "../host-guard.ts";
import { type Observed, observeState } from "./state-metrics.ts";
import { workMetrics } from "./work-metrics.ts";

/** Those who ask at once, such as two Prometheus servers and a person. */
const CONNECTIONS = 16;

/** What a relay tells Prometheus, on a listener of its own (rules K4, K9). */
export interface Metrics {
  readonly onCall: OnCall;
  readonly meter: Meter;
  /** Also shows what is, not only what happens. */
  observe(observed: Observed): void;
  readonly server: Server;
}

/** No label is ever an id, a token, an address or a name that a client chose (rules A1, E4). */
export function buildMetrics(guardHost: HostGuard): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "soundferry_" });
  let reading: Promise<string> | undefined;
  const readOnce = () =>
    (reading ??= registry.metrics().finally(() => {
      reading = undefined;
    }));
  const server = createServer((request, answer) => {
    answer.setHeader("x-content-type-options", "nosniff");
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
    readOnce().then(
      (text) => answer.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  });
  // No budget knows its readers.
  server.maxConnections = CONNECTIONS;
  server.maxRequestsPerSocket = 1;
  server.timeout = MAX_UNREAD_SECONDS * 1000;
  return {
    server,
    onCall: callMetrics(registry),
    meter: workMetrics(registry),
    observe: (observed) => observeState(registry, observed),
  };
}
