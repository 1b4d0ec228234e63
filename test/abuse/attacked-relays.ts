import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Usage } from "../../bench/processes/answer-calls.ts";
import { type Engines, settingsOf } from "../../scaled/cluster.ts";
import { startHaproxy } from "../../scaled/engines/haproxy.ts";
import { startPgbouncer } from "../../scaled/engines/pgbouncer.ts";
import { type Attacked, type OpenOptions, type ServerCalls, settled } from "./attacked-relay.ts";
import { Program } from "./program.ts";

const RELAYS = 3;

/**
 * Three relays behind haproxy on PostgreSQL and S3, attacked as if they were one.
 * @param engines are the caller's
 */
export async function openAttackedRelays(
  engines: Engines,
  options: OpenOptions,
): Promise<Attacked> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "soundferry-abuse-"));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const pgbouncer = starting.use(await startPgbouncer(engines.postgres));
  const databaseUrl = await engines.postgres.createDatabase();
  const bucket = await engines.swift.createBucket();
  const flags = {
    ...settingsOf({ engines, pgbouncer, databaseUrl, bucket }),
    SOUNDFERRY_PORT: "0",
    SOUNDFERRY_TRUST_PROXY: "127.0.0.1",
    ...options.settings,
  };
  const { file = "relay", core, descriptors, diskBytes } = options;
  const programs = Array.from({ length: RELAYS }, (_, index) =>
    starting.use(
      new Program<ServerCalls>({
        file,
        core,
        descriptors,
        logPath: join(folder, `relay-${index}.log`),
      }),
    ),
  );
  const served = await Promise.all(
    programs.map((program) => program.call("start", { flags, diskBytes })),
  );
  const ports = served.map(({ url }) => Number(new URL(url).port));
  // The attacks say themselves where their strangers are.
  const haproxy = starting.use(await startHaproxy(ports, { keepsForwardedFor: true }));
  const started = starting.move();
  const usage = async () =>
    togetherOf(await Promise.all(programs.map((program) => program.usage())));
  return {
    url: haproxy.url,
    port: haproxy.port,
    relays: RELAYS,
    metricsUrl: undefined,
    usage,
    settledUsage: (afterMs) => settled(afterMs, usage),
    hashedCodes: async () => {
      const counts = await Promise.all(
        programs.map((program) => program.call("hashedCodes", undefined)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

/** The processor time of all, and the memory of the one that needs the most: what is promised of memory is of one. */
function togetherOf(usages: readonly Usage[]): Usage {
  return {
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    residentMb: Math.max(...usages.map(({ residentMb }) => residentMb)),
    peakMb: Math.max(...usages.map(({ peakMb }) => peakMb)),
  };
}
