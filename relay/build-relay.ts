import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { destination, type Logger, pino } from "pino";
import { buildMetrics } from "./http/metrics.ts";
import { buildServer } from "./http/build-server.ts";
import { closeGently, urlOf } from "./http/listening.ts";
import type { RelayPages } from "./http/pages.ts";
import { requestIds } from "./http/request-ids.ts";
import { trackUnusedConnections } from "./http/idle-connections.ts";
import { openSockets } from "./http/socket.ts";
import { ClosingStack } from "./closing-stack.ts";
import { type Doorbell, notifierOf } from "./deprecated.ts";
import type { Context } from "./domain/context.ts";
import { KnownTokens } from "./domain/known-tokens.ts";
import type { Ports, RecordStore, SoundStore } from "./domain/ports.ts";
import { RunningUploads } from "./domain/running-uploads.ts";
import { sweep } from "./domain/sweep.ts";
import { MemoryNotifier } from "./notify/memory-notifier.ts";
import { type RelaySettings, policyOf, tlsOf } from "./settings.ts";
import { DiskSoundStore } from "./storage/disk/disk-sound-store.ts";
import { lockFolder } from "./storage/disk/folder-lock.ts";
import { MemoryLimits } from "./storage/memory/memory-limits.ts";
import { SqliteDatabase } from "./storage/sqlite/sqlite-database.ts";
import { systemClock, systemDigest, systemRandomBytes } from "./storage/system.ts";

const SWEEP_MS = 30_000;

/** A relay you can start. Dispose it to stop it. */
export interface Relay extends AsyncDisposable {
  readonly context: Context;
  /** Starts serving. Rejects when the port is in use. */
  listen(): Promise<{ readonly url: string; readonly metricsUrl: string | undefined }>;
}

/**
 * Stores and other parts to use in place of the relay's own. They belong to the caller: the relay doesn't
 * dispose them. docs/stores.md says what they promise.
 */
export interface GivenPorts extends Partial<
  Pick<Ports, "sounds" | "notifier" | "limits" | "clock" | "randomBytes" | "digest">
> {
  /** In place of SQLite. If it has a clock, that is the relay's time, unless `clock` is given too. */
  readonly records?: RecordStore;
  /** @deprecated Use `notifier`. */
  readonly doorbell?: Doorbell;
}

/** Replacements for the relay's own parts, for tests and for programs that embed the relay. */
export interface RelayOptions {
  readonly log?: Logger;
  readonly ports?: GivenPorts;
  /** How often sockets, long polls and transfers look again by themselves: 30 s unless set (rule J6). */
  readonly lookAgainMs?: number;
  /** The pages at `/` and `/client.js`. Without them, both paths answer 404. */
  readonly pages?: RelayPages;
}

/**
 * Builds a relay on SQLite and disk in `settings.dataFolder`. Creates and locks that folder, except when it is
 * given both its records and its sounds: then it creates no file (rule J8).
 * @throws {FolderInUseError} while another relay uses the folder
 */
export async function buildRelay(
  settings: RelaySettings,
  options: RelayOptions = {},
): Promise<Relay> {
  const closing = new ClosingStack();
  try {
    return await assemble(settings, options, closing);
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

async function assemble(
  settings: RelaySettings,
  options: RelayOptions,
  closing: ClosingStack,
): Promise<Relay> {
  const log = options.log ?? pino({ level: settings.logLevel, base: null }, destination(2));
  const ports = await openPorts(settings, options.ports ?? {}, log, closing);
  const { lookAgainMs } = options;
  const context: Context = {
    ...ports,
    policy: { ...policyOf(settings), ...(lookAgainMs !== undefined && { lookAgainMs }) },
    known: new KnownTokens(ports.pairings, ports.digest, ports.clock),
    uploads: new RunningUploads(settings.uploadsPerDevice),
  };
  closing.defer(heedChanges(context));
  closing.use(sweepRegularly(context, log));

  const stopping = new AbortController();
  const metrics = settings.metricsPort === undefined ? undefined : buildMetrics();
  const nextRequestId = requestIds();
  const server = buildServer({
    context,
    log,
    nextRequestId,
    idleMs: settings.uploadIdleSeconds * 1000,
    trustProxy: settings.trustProxy,
    tls: tlsOf(settings),
    stopping: stopping.signal,
    pages: options.pages,
    ...(metrics !== undefined && { onCall: metrics.onCall }),
  });
  if (metrics !== undefined) closing.defer(() => metrics.server.close());
  const closeUnused = trackUnusedConnections(server.server);
  closing.defer(() => closeGently(server, closeUnused));
  closing.defer(openSockets(server.server, { context, log, nextRequestId }));
  closing.defer(() => stopping.abort());

  return {
    context,
    listen: async () => {
      const { host, port, metricsPort } = settings;
      await server.listen({ host, port });
      if (metrics !== undefined) await once(metrics.server.listen(metricsPort, host), "listening");
      return {
        url: urlOf(server.server, tlsOf(settings) === undefined ? "http" : "https"),
        metricsUrl: metrics && `${urlOf(metrics.server, "http")}/metrics`,
      };
    },
    [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
  };
}

async function openPorts(
  settings: RelaySettings,
  given: GivenPorts,
  log: Logger,
  closing: ClosingStack,
): Promise<Ports> {
  const { records, sounds } = await openStores(settings.dataFolder, given, closing);
  const clock = given.clock ?? records.clock ?? systemClock;
  const onError = (error: unknown) => log.error({ err: error }, "a listener failed");
  return {
    pairings: records.pairings,
    packages: records.packages,
    soundKeys: records.soundKeys,
    changes: records.changes,
    sounds,
    notifier:
      given.notifier ??
      (given.doorbell === undefined
        ? new MemoryNotifier(onError)
        : notifierOf(given.doorbell, onError)),
    limits: given.limits ?? new MemoryLimits(clock),
    clock,
    randomBytes: given.randomBytes ?? systemRandomBytes,
    digest: given.digest ?? systemDigest,
  };
}

/** The given stores, and SQLite and disk in the locked folder for those that are not given (rule J8). */
async function openStores(
  folder: string,
  { records, sounds }: GivenPorts,
  closing: ClosingStack,
): Promise<{ readonly records: RecordStore; readonly sounds: SoundStore }> {
  if (records !== undefined && sounds !== undefined) return { records, sounds };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closing.use(lockFolder(folder));
  return {
    records: records ?? (await openRecords(folder, closing)),
    sounds: sounds ?? (await DiskSoundStore.open(folder)),
  };
}

/** Opens the database of a locked folder. Nobody else serves it, so what is pending there is a dead upload's. */
async function openRecords(folder: string, closing: ClosingStack): Promise<RecordStore> {
  const database = closing.use(await SqliteDatabase.open(folder));
  await database.soundKeys.doomPending(Number.MAX_SAFE_INTEGER);
  return database;
}

/** Forgets what another process may have changed, and has everyone who listens look again (rule J7). */
function heedChanges({ changes, known, notifier }: Context): () => void {
  return changes.watch(() => {
    known.forget();
    notifier.missed();
  });
}

/** Sweeps at the start and then twice a minute, never two at a time. Disposing waits for a running sweep. */
function sweepRegularly(context: Context, log: Logger): AsyncDisposable {
  let running = Promise.resolve();
  const start = () => {
    running = running
      .then(() => sweep(context))
      .catch((error: unknown) => log.error({ err: error }, "sweep failed; retrying"));
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
