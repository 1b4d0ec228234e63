import { Counter, Histogram, type Registry } from "prom-client";
import type { OnCall } from "../build-server.ts";
import { isLongPoll } from "../call-log.ts";

/** Calls by the route's pattern, method and status. Long-polls have a histogram of their own: they are slow by design. */
export function callMetrics(registry: Registry): OnCall {
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
  return (path, request, { statusCode, elapsedTime }) => {
    const { method } = request;
    calls.inc({ method, path, status: statusCode });
    if (isLongPoll(request)) held.observe(elapsedTime / 1000);
    else seconds.observe({ method, path }, elapsedTime / 1000);
  };
}
