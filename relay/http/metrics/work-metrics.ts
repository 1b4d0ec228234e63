import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import type { Meter } from "../../domain/meter.ts";

const MINUTE = 60;
const HOUR = 3600;

/** What the use cases note. */
export function workMetrics(registry: Registry): Meter {
  const registers = [registry];
  const bytes = new Counter({
    name: "soundferry_sound_bytes_total",
    help: "Bytes of sounds that came from apps (in) and went to importers (out).",
    labelNames: ["direction"],
    registers,
  });
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
  const refusals = new Counter({
    name: "soundferry_refusals_total",
    help: "Refused calls and sockets, by code.",
    labelNames: ["code"],
    registers,
  });
  const sweeps = new Counter({
    name: "soundferry_sweeps_total",
    help: "Sweeps that were done, and that failed in part.",
    labelNames: ["outcome"],
    registers,
  });
  const lastSweep = new Gauge({
    name: "soundferry_last_sweep_timestamp_seconds",
    help: "When a sweep was last done whole, by the machine's clock; 0 before the first.",
    registers,
  });
  // A series that begins with its first event has no increase then.
  for (const direction of ["in", "out"]) bytes.inc({ direction }, 0);
  for (const outcome of ["done", "failed"]) sweeps.inc({ outcome }, 0);
  for (const outcome of ["imported", "partial", "failed"]) imports.zero({ outcome });
  for (const code of Object.keys(REFUSALS)) refusals.inc({ code }, 0);
  return {
    soundBytes: (direction, count) => bytes.inc({ direction }, count),
    imported: (outcome, seconds) => imports.observe({ outcome }, seconds),
    notified: (seconds) => notifications.observe(seconds),
    refused: (code) => refusals.inc({ code }),
    swept: (outcome) => {
      sweeps.inc({ outcome });
      if (outcome === "done") lastSweep.setToCurrentTime();
    },
  };
}
