import type { Server } from "node:http";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Meter } from "../../domain/meter.ts";
import { COMPARISONS } from "../../domain/upkeep/comparison.ts";
import { MAX_HEADER_BYTES } from "../../../core/limits.ts";
import { MAX_UNREAD_SECONDS } from "../../../core/quotas/budgets.ts";
import { errorHeaders, errorJson } from "../answer-refusal.ts";
import type { OnCall } from "../call-hooks.ts";
import type { HostGuard } from "../host-guard.ts";
import { type Observed, observeState } from "./state-metrics.ts";
import { isLongPoll, pathOf } from "../call-log.ts";
import { normalizeTarget } from "../request-target.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { nodeHttp } from "../../../program/node-http.ts";

/** The most connections at once, for readers such as two Prometheus servers and a person. */
const CONNECTIONS = 16;

/** The metrics for Prometheus, on a listener of their own (rules K4, K9). */
export interface Metrics {
  readonly onCall: OnCall;
  readonly meter: Meter;
  /** Adds gauges of the present state to the counted events. */
  observe(observed: Observed): void;
  readonly server: Server;
}

/** Builds the metrics. No label is ever an id, a token, an address or a name that a client chose (rules A1, E4). */
export function buildMetrics(guardHost: HostGuard): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "soundferry_" });
  let reading: Promise<string> | undefined;
  const readOnce = () =>
    (reading ??= registry.metrics().finally(() => {
      reading = undefined;
    }));
  const server = nodeHttp.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, answer) => {
    answer.setHeader("x-content-type-options", "nosniff").setHeader("cache-control", "no-store");
    const path = pathOf(normalizeTarget(request));
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
    if (path !== "/metrics") {
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

/**
 * Counts calls by the route's pattern, method and status. Long polls have a histogram of their own because they are
 * slow by design.
 */
function callMetrics(registry: Registry): OnCall {
  const registers = [registry];
  const calls = new Counter({
    name: "soundferry_calls_total",
    help: "Calls answered.",
    labelNames: ["method", "path", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "soundferry_call_seconds",
    help: "Time from request to the end of its answer, without long-polls.",
    labelNames: ["method", "path"],
    registers,
  });
  const held = new Histogram({
    name: "soundferry_long_poll_seconds",
    help: "Time that long-polls were held.",
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  });
  return (path, request, { status, ms }) => {
    const { method } = request;
    calls.inc({ method, path, status });
    if (isLongPoll(request)) held.observe(ms / 1000);
    else seconds.observe({ method, path }, ms / 1000);
  };
}

const MINUTE = 60;
const HOUR = 3600;

/** Name, help, label, and its values. */
type CounterWords = readonly [name: string, help: string, label: string, values: readonly string[]];

/** Makes a counter that begins at 0 for each value: a series that begins with its first event has no increase then. */
function countEach(registry: Registry, [name, help, label, values]: CounterWords): Counter {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}

/** Counts the events of the use cases. */
function workMetrics(registry: Registry): Meter {
  const registers = [registry];
  const counter = (...named: CounterWords) => countEach(registry, named);
  const bytes = counter(
    "soundferry_sound_bytes_total",
    "Bytes of sounds that came from apps (in) and went to importers (out).",
    "direction",
    ["in", "out"],
  );
  const imports = new Histogram({
    name: "soundferry_commit_to_import_seconds",
    help: "Time from a package's commit to its first report, by what the report says.",
    labelNames: ["outcome"],
    buckets: [1, 5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR],
    registers,
  });
  const notifications = new Histogram({
    name: "soundferry_notification_seconds",
    help: "Time from a notification until its socket took it.",
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const refusals = counter(
    "soundferry_refusals_total",
    "Refused calls and sockets, by code.",
    "code",
    Object.keys(REFUSALS),
  );
  const sweeps = counter(
    "soundferry_sweeps_total",
    "Sweeps that were done, and that failed in part.",
    "outcome",
    ["done", "failed"],
  );
  const compared = counter(
    "soundferry_sounds_compared_total",
    "Stored sounds that a scrub compared with what their apps sent, by what it found.",
    "found",
    COMPARISONS,
  );
  const lastSweep = new Gauge({
    name: "soundferry_last_sweep_timestamp_seconds",
    help: "When a sweep was last done whole, by the machine's clock; 0 before the first.",
    registers,
  });
  for (const outcome of ["imported", "partial", "failed"]) imports.zero({ outcome });
  return {
    soundBytes: (direction, count) => bytes.inc({ direction }, count),
    imported: (outcome, seconds) => imports.observe({ outcome }, seconds),
    notified: (seconds) => notifications.observe(seconds),
    refused: (code) => refusals.inc({ code }),
    swept: (outcome) => {
      sweeps.inc({ outcome });
      if (outcome === "done") lastSweep.setToCurrentTime();
    },
    scrubbed: (found) => compared.inc({ found }),
  };
}
