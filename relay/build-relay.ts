import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Timers } from "../core/timers.ts";
import type { Metrics } from "./http/metrics/build-metrics.ts";
import { buildServer } from "./http/build-server.ts";
import { Draining } from "./http/draining.ts";
import { closeGently, startListening } from "./http/http-server.ts";
import type { RelayPages } from "./http/pages.ts";
import { type HostGuard, hostGuard, lanNamesOf, TrustedProxies } from "./http/host-guard.ts";
import type { Lan } from "./http/lan/lan.ts";
import { loadLan } from "./http/lan/load-lan.ts";
import type { OwnNetworks } from "./http/lan/own-networks.ts";
import { CallLog, requestIds } from "./http/call-log.ts";
import { LineSampler } from "./http/line-sampler.ts";
import { type LogTrouble, troubleLog } from "./http/trouble-log.ts";
import { openSockets } from "./http/socket.ts";
import type { Sockets } from "./http/importer-sockets.ts";
import { logBreaking, logHealth } from "./log-health.ts";
import { ClosingStack } from "../program/closing-stack.ts";
import { descriptorLimit, logLines, NODE_TIMERS, openLog } from "./node.ts";
import type { Context } from "./domain/context.ts";
import { KnownTokens } from "./domain/pairing/known-tokens.ts";
import { Health } from "./domain/upkeep/health.ts";
import { type Meter, NO_METER } from "./domain/meter.ts";
import { Operator } from "./domain/upkeep/operator.ts";
import { ListedPackages } from "./domain/packages/listed-packages.ts";
import { Partials } from "./domain/uploads/partials.ts";
import type { Ports, SoundStore } from "./domain/ports.ts";
import { Admission } from "./domain/admission/budgets.ts";
import { type GivenPorts, openPorts } from "./open-ports.ts";
import { openScaled } from "./open-scaled.ts";
import { budgetsOf } from "./budgets-of.ts";
import { hostNamesOf, operatorOf, policyOf, type RelaySettings, tlsOf } from "./settings.ts";
import type { StartWriter } from "./storage/sqlite/write-queue.ts";
import { startUpkeep } from "./upkeep.ts";

/** A relay that can be started. Dispose it to stop it. */
export interface Relay extends AsyncDisposable {
  readonly context: Context;
  /**
   * Aborts with the reason, an error, once the relay can't continue because its database went away (rule Z8). Every
   * change is refused from then on. Dispose the relay.
   */
  readonly broken: AbortSignal;
  /** Starts serving. Rejects when the port is in use. */
  listen(): Promise<{ readonly url: string; readonly metricsUrl: string | undefined }>;
  /** Opens the switch for devices in the local network (rule LAN1), and loads its code. Call it after `listen`. */
  openLan(): Promise<Lan>;
  /**
   * Refuses new work and serves what was begun, for at most `SOUNDFERRY_STOP_GRACE_S` (rule K11). Resolves when nothing
   * is left to serve; then dispose the relay, which ends at once what is still running.
   * @param now ends the wait when it aborts
   */
  drain(now?: AbortSignal): Promise<void>;
}

/** Replacements for the relay's own parts, for tests and for programs that embed the relay. */
export interface RelayOptions {
  readonly log?: Logger;
  readonly ports?: GivenPorts;
  /** Starts SQLite's writer; in a thread of its own by default. */
  readonly startWriter?: StartWriter;
  /**
   * Time after which sockets, long polls and transfers look again without a notification; 30 s by default (rule J6).
   */
  readonly lookAgainMs?: number;
  /** Clock and timers for silent senders, a stop and budgets; Node's by default. */
  readonly timers?: Timers;
  /** Milliseconds for which a stopping relay holds calls (rule K11); `STOP_HOLD_SECONDS` by default. */
  readonly stopHoldMs?: number;
  /** Ends the wait for another relay to leave the folder, by throwing its reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for which a claim waits for a yes in the panel; 25 s by default (rule P12). */
  readonly consentWaitMs?: number;
  /** Milliseconds for which a reader may take nothing of an answer; `MAX_UNREAD_SECONDS` by default (rule L6). */
  readonly unreadMs?: number;
  /** Wraps the store of the sounds, which the relay has just opened or was given (rule K16). */
  readonly aroundSounds?: (sounds: SoundStore) => SoundStore;
  /** The networks that this computer is in; the system's by default (rule LAN2). */
  readonly networks?: OwnNetworks;
  /** Calls per minute and app, where importers may make more (rule K16). */
  readonly appCallsPerMinute?: number;
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
  const log = options.log ?? openLog(settings.logLevel, logLines(2));
  const sampler = closing.use(new LineSampler(log, options.timers ?? NODE_TIMERS));
  const logTrouble = troubleLog(log, sampler);
  const given = await openScaled(settings, options.ports ?? {}, {
    log,
    closing,
    onTrouble: (error) => logTrouble(error, error.message),
  });
  const opened = await openPorts(settings.dataFolder, given, {
    log,
    closing,
    waitForLock: { waitMs: settings.waitForLockSeconds * 1000, signal: options.signal },
    clockProofMs: settings.clockProofSeconds * 1000,
    database: {
      ballastBytes: settings.ballastBytes,
      minFreeBytes: settings.minFreeBytes,
      onTrouble: (error) => logTrouble(error, "removals.log could not be written; retrying"),
      ...(options.startWriter !== undefined && { startWriter: options.startWriter }),
    },
  });
  const ports = { ...opened, sounds: options.aroundSounds?.(opened.sounds) ?? opened.sounds };
  const proxies = new TrustedProxies(settings.trustProxy);
  const lanNames = lanNamesOf(hostname());
  const guardHost = hostGuard({ names: hostNamesOf(settings), lanNames, proxies });
  const metrics = settings.metricsPort === undefined ? undefined : await loadMetrics(guardHost);
  const meter = metrics?.meter ?? NO_METER;
  const context = contextOver(ports, settings, { ...options, log, meter });
  const hasFolder = given.records === undefined || given.sounds === undefined;
  const folder = hasFolder ? settings.dataFolder : undefined;
  const { scrubPercent } = settings;
  await startUpkeep(context, { log, logTrouble, closing, folder, scrubPercent });
  const broken = ports.broken ?? new AbortController().signal;
  closing.defer(logBreaking(broken, log));
  return {
    context,
    broken,
    ...serving({
      context,
      metrics,
      guardHost,
      proxies,
      settings,
      options,
      callLog: new CallLog({ log, addresses: settings.logAddresses, sampler }),
      log,
      logTrouble,
      closing,
      broken,
    }),
    [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
  };
}

/** Builds the metrics. Loads their packages only now: few relays have a port for them. */
async function loadMetrics(guardHost: HostGuard): Promise<Metrics> {
  const { buildMetrics } = await import("./http/metrics/build-metrics.ts");
  return buildMetrics(guardHost);
}

const DRAINING =
  "The relay is stopping. It serves running uploads and imports to their end and accepts nothing new.";

interface ServingDeps {
  readonly context: Context;
  readonly metrics: Metrics | undefined;
  readonly guardHost: HostGuard;
  readonly proxies: TrustedProxies;
  readonly settings: RelaySettings;
  readonly options: RelayOptions;
  readonly callLog: CallLog;
  readonly log: Logger;
  readonly logTrouble: LogTrouble;
  readonly closing: ClosingStack;
  readonly broken: AbortSignal;
}

/** Builds the relay's network side: its server, the importers' sockets and the listener for metrics. */
function serving(deps: ServingDeps): Pick<Relay, "listen" | "openLan" | "drain"> {
  const { context, metrics, settings, options, log, closing, broken } = deps;
  const { guardHost, proxies, callLog, logTrouble } = deps;
  const { networks, timers = NODE_TIMERS } = options;
  const scheme = tlsOf(settings) === undefined ? "http" : "https";
  const draining = new Draining(timers, options.stopHoldMs);
  const nextRequestId = requestIds();
  const { app: server, connections } = buildServer({
    context,
    log,
    callLog,
    logTrouble,
    nextRequestId,
    idleMs: settings.uploadIdleSeconds * 1000,
    trustProxy: settings.trustProxy,
    proxies,
    guardHost,
    tls: tlsOf(settings),
    isBehindHttps: settings.baseUrl?.startsWith("https:") === true,
    draining,
    operator: operatorOf(settings),
    pages: options.pages,
    unreadMs: options.unreadMs,
    ...(metrics !== undefined && { onCall: metrics.onCall }),
  });
  if (metrics !== undefined) closing.defer(() => metrics.server.close());
  closing.use(connections);
  const sockets = openSockets(server.server, {
    context,
    callLog,
    logTrouble,
    nextRequestId,
    connections,
    proxies,
    guardHost,
    draining,
  });
  metrics?.observe({ context, sockets });
  let lan: Promise<Lan> | undefined;
  closing.defer(() =>
    closeGently(server, () => connections.closeUnused(), {
      isHasty: draining.isDraining || broken.aborted,
      endSockets: () => sockets.terminate(),
      closeLan: async () => (await lan)?.close(),
    }),
  );
  closing.defer(() => sockets.close());
  closing.defer(() => draining.stop());
  return {
    listen: () => startListening(server, metrics?.server, { ...settings, scheme }),
    openLan: () => (lan ??= loadLan({ server: server.server, scheme, timers, networks })),
    drain: (now = broken) =>
      drain(deps, { draining, sockets, now: AbortSignal.any([now, broken]) }),
  };
}

async function drain(
  { context, settings }: ServingDeps,
  {
    draining,
    sockets,
    now,
  }: { readonly draining: Draining; readonly sockets: Sockets; readonly now: AbortSignal },
): Promise<void> {
  context.health.note("draining", DRAINING);
  if (!now.aborted && !draining.isDraining) sockets.drain();
  await draining.drain({
    delayMs: settings.stopDelaySeconds * 1000,
    graceMs: settings.stopGraceSeconds * 1000,
    now,
  });
}

function contextOver(
  ports: Ports,
  settings: RelaySettings,
  {
    log,
    meter,
    lookAgainMs,
    consentWaitMs,
    appCallsPerMinute,
    timers = NODE_TIMERS,
  }: { readonly log: Logger; readonly meter: Meter } & Pick<
    RelayOptions,
    "lookAgainMs" | "consentWaitMs" | "appCallsPerMinute" | "timers"
  >,
): Context {
  return {
    ...ports,
    health: new Health((topic, sentence) => logHealth(log, topic, sentence)),
    policy: {
      ...policyOf(settings),
      ...(lookAgainMs !== undefined && { lookAgainMs }),
      ...(consentWaitMs !== undefined && { consentWaitMs }),
      ...(appCallsPerMinute !== undefined && { appCallsPerMinute }),
    },
    known: new KnownTokens(ports.pairings, ports.digest, ports.clock),
    admission: new Admission(budgetsOf(settings, descriptorLimit()), { now: () => timers.now() }),
    meter,
    operator: new Operator(ports.operatorRecords),
    partials: new Partials(),
    listed: new ListedPackages(),
  };
}
