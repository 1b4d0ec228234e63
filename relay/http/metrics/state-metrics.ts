import { Gauge, Histogram, type Registry } from "prom-client";
import { VERSION } from "../../../core/version.ts";
import type { Context } from "../../domain/context.ts";
import { HEALTH_TOPICS } from "../../domain/upkeep/health.ts";
import type { PackageCensus } from "../../domain/ports.ts";

/** The objects whose state is read when Prometheus scrapes. */
export interface Observed {
  readonly context: Context;
  readonly sockets: { readonly count: number };
}

/** The shortest time between two counts of the packages, and the least multiple of the time that a count takes. */
const CENSUS_EVERY_MS = 10_000;
const CENSUS_SHARE = 20;

export function observeState(registry: Registry, { context, sockets }: Observed): void {
  const gauge = gaugesOf(registry);
  gauge("soundferry_build_info", "1, with the version.", ["version", "node"]).set(
    { version: VERSION, node: process.versions.node },
    1,
  );
  gauge("soundferry_sockets", "Importers' open sockets.", [], (one) => one.set(sockets.count));
  gauge("soundferry_uploads", "Running uploads.", [], (one) =>
    one.set(context.admission.budget("uploads").used),
  );
  gauge("soundferry_budget_used", "How much of a budget is in use.", ["budget"], (one) => {
    for (const budget of context.admission.resources)
      one.set({ budget }, context.admission.budget(budget).used);
  });
  gauge("soundferry_budget_max", "How much a budget allows in all.", ["budget"], (one) => {
    for (const budget of context.admission.resources)
      one.set({ budget }, context.admission.budget(budget).max);
  });
  gauge("soundferry_notice", "1 while /readyz has a notice of this.", ["topic"], (one) => {
    for (const topic of HEALTH_TOPICS)
      one.set({ topic }, Number(context.health.notices.has(topic)));
  });
  gauge("soundferry_min_free_bytes", "SOUNDFERRY_MIN_FREE_BYTES.").set(context.policy.minFreeBytes);
  gauge("soundferry_free_bytes", "Free space for sounds.", [], async (one) => {
    const room = await context.sounds.room();
    if (room === "unknown") one.remove();
    else one.set(room);
  });
  observeWrites(registry, context);
  observePackages(registry, context);
}

function observeWrites(registry: Registry, { writes }: Context): void {
  if (writes === undefined) return;
  gaugesOf(registry)(
    "soundferry_commit_queue_depth",
    "Changes that wait for the database.",
    [],
    (one) => one.set(writes.waiting),
  );
  const seconds = new Histogram({
    name: "soundferry_commit_seconds",
    help: "Time from a change to when it is durable in the database.",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  writes.onWritten((ms) => seconds.observe(ms / 1000));
}

function observePackages(registry: Registry, context: Context): void {
  const census = sharedCensus(context);
  if (census === undefined) return;
  const gauge = gaugesOf(registry);
  gauge("soundferry_packages", "Packages by status.", ["status"], async (one) => {
    const { counts } = await census();
    for (const [status, count] of Object.entries(counts)) one.set({ status }, count);
  });
  gauge(
    "soundferry_oldest_waiting_seconds",
    "How long the package has waited that has waited the longest; 0 if none waits.",
    [],
    async (one) => {
      const { oldestWaitingAt } = await census();
      const now = context.clock.now();
      one.set(oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt) / 1000);
    },
  );
  gauge("soundferry_reserved_bytes", "Room held for what was announced.", [], async (one) =>
    one.set((await census()).reservedBytes),
  );
}

/** Shares one count of the packages among all gauges, while it runs and for a while after. */
function sharedCensus({ packages, clock }: Context): () => Promise<PackageCensus> {
  let shared: Promise<PackageCensus> | undefined;
  let freshUntil = Infinity;
  return () => {
    if (shared !== undefined && performance.now() < freshUntil) return shared;
    const startedAt = performance.now();
    freshUntil = Infinity;
    shared = packages.count(clock.confirmedNow()).finally(() => {
      const now = performance.now();
      freshUntil = now + Math.max(CENSUS_EVERY_MS, (now - startedAt) * CENSUS_SHARE);
    });
    // A failed count is repeated at once.
    shared.catch(() => (shared = undefined));
    return shared;
  };
}

type Collect = (gauge: Gauge) => unknown;

function gaugesOf(registry: Registry) {
  return (name: string, help: string, labelNames: string[] = [], collect?: Collect): Gauge => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      ...(collect !== undefined && {
        async collect() {
          await collect(gauge);
        },
      }),
    });
    return gauge;
  };
}
