import { once } from "node:events";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { destination, type Logger, pino } from "pino";
import { buildMetrics } from "./http/metrics.ts";
import { buildServer } from "./http/build-server.ts";
import { openSockets } from "./http/socket.ts";
import type { Context, Terms } from "./domain/context.ts";
import { KnownTokens } from "./domain/known-tokens.ts";
import type { Ports } from "./domain/ports.ts";
import { RunningUploads } from "./domain/running-uploads.ts";
import { sweep, sweepOrphans } from "./domain/sweep.ts";
import { MemoryDoorbell } from "./notify/memory-doorbell.ts";
import type { RelaySettings } from "./settings.ts";
import { DiskSoundStore } from "./storage/disk-sound-store.ts";
import { lockFolder } from "./storage/folder-lock.ts";
import { MemoryLimits } from "./storage/memory-limits.ts";
import { SqliteDatabase } from "./storage/sqlite/sqlite-database.ts";
import { systemClock, systemDigest, systemRandomBytes } from "./storage/system.ts";

const SWEEP_MS = 30_000;
/** A connection that has had its answer is closed at the latest after so long when the relay stops. */
const CLOSE_IDLE_MS = 50;
/** How long a stopping relay lets running uploads go on. */
const STOP_GRACE_MS = 10_000;

/** A relay that can be started and is stopped by disposing of it. */
export interface Relay extends AsyncDisposable {
  readonly context: Context;
  /** Starts serving. Rejects where the port is taken. */
  listen(): Promise<{ readonly url: string; readonly metricsUrl: string | undefined }>;
}

/** Parts that a test, or whoever builds on the library, brings along in place of the relay's own. */
export interface RelayParts {
  readonly log?: Logger;
  readonly ports?: Partial<Ports>;
}

/**
 * Builds a relay on SQLite and disk in `settings.dataFolder`, which it makes and locks.
 * @throws {FolderInUseError} while another relay runs on that folder
 */
export async function buildRelay(settings: RelaySettings, parts: RelayParts = {}): Promise<Relay> {
  await using stack = new AsyncDisposableStack();
  const log = parts.log ?? pino({ level: settings.logLevel, base: null }, destination(2));
  mkdirSync(settings.dataFolder, { recursive: true, mode: 0o700 });
  stack.use(lockFolder(settings.dataFolder));
  const ports = await openPorts(settings, parts.ports ?? {}, log, stack);
  const context: Context = {
    ...ports,
    terms: termsOf(settings),
    known: new KnownTokens(ports.pairings, ports.digest, ports.clock),
    uploads: new RunningUploads(settings.uploadsPerDevice),
  };
  const orphans = await sweepOrphans(context);
  if (orphans > 0) log.warn({ orphans }, "deleted what an interrupted upload had left");
  stack.use(sweepRegularly(context, log));

  const stopping = new AbortController();
  const metrics = settings.metricsPort === undefined ? undefined : buildMetrics();
  const server = buildServer({
    context,
    log,
    idleMs: settings.uploadIdleSeconds * 1000,
    trustProxy: settings.trustProxy,
    tls:
      settings.tlsCert !== undefined && settings.tlsKey !== undefined
        ? { cert: settings.tlsCert, key: settings.tlsKey }
        : undefined,
    stopping: stopping.signal,
    ...(metrics !== undefined && { onCall: metrics.onCall }),
  });
  if (metrics !== undefined) stack.defer(() => void metrics.server.close());
  stack.defer(() => closeGently(server));
  stack.defer(openSockets(server.server, context));
  stack.defer(() => stopping.abort());
  const owned = stack.move();

  return {
    context,
    listen: async () => {
      const { host, port, metricsPort } = settings;
      const url = await server.listen({ host, port });
      if (metrics !== undefined) await once(metrics.server.listen(metricsPort, host), "listening");
      return { url: printUrl(url), metricsUrl: metrics && urlOf(metrics.server.address()) };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openPorts(
  settings: RelaySettings,
  given: Partial<Ports>,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<Ports> {
  const clock = given.clock ?? systemClock;
  const database = stack.use(await SqliteDatabase.open(settings.dataFolder));
  return {
    pairings: database.pairings,
    packages: database.packages,
    sounds: await DiskSoundStore.open(settings.dataFolder),
    doorbell: new MemoryDoorbell((error) => log.error({ err: error }, "a listener failed")),
    limits: new MemoryLimits(clock),
    digest: systemDigest,
    randomBytes: systemRandomBytes,
    ...given,
    clock,
  };
}

function termsOf(settings: RelaySettings): Terms {
  return {
    callsPerMinute: settings.callsPerMinute,
    packagesPerHour: settings.packagesPerHour,
    pairingTriesPerMinute: settings.pairingTriesPerMinute,
    waitingPerDevice: settings.waitingPackagesPerDevice,
    bytesPerDevice: settings.bytesPerDevice,
    bytesPerAddressPerDay: settings.bytesPerAddressPerDay,
    minFreeBytes: settings.minFreeBytes,
    pairingCodeTtlMs: settings.pairingCodeTtlSeconds * 1000,
    uploadWindowMs: settings.uploadWindowSeconds * 1000,
    waitWindowMs: settings.waitWindowSeconds * 1000,
    statusWindowMs: settings.statusWindowSeconds * 1000,
    leaseMs: settings.leaseSeconds * 1000,
    registrationKey: settings.registration === "key" ? settings.registrationKey : undefined,
  };
}

/** Sweeps at the start and then twice a minute, never two at once; ends with the one that runs. */
function sweepRegularly(context: Context, log: Logger): AsyncDisposable {
  let running = Promise.resolve();
  const start = () => {
    running = running
      .then(() => sweep(context))
      .catch((error: unknown) => log.error({ err: error }, "sweeping failed; it is tried again"));
  };
  start();
  const timer = setInterval(start, SWEEP_MS);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Lets running calls end, but not for ever. */
async function closeGently(server: FastifyInstance): Promise<void> {
  const hurry = setTimeout(() => server.server.closeAllConnections(), STOP_GRACE_MS);
  const closeIdle = setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_MS);
  await server.close();
  clearInterval(closeIdle);
  clearTimeout(hurry);
}

function printUrl(url: string): string {
  return url.replace("[::1]", "localhost").replace("://0.0.0.0:", "://127.0.0.1:");
}

function urlOf(address: AddressInfo | string | null): string | undefined {
  if (address === null || typeof address === "string") return undefined;
  return `http://${address.address}:${address.port}/metrics`;
}
