import { once } from "node:events";
import { destination, type Logger, pino } from "pino";
import { buildMetrics } from "./http/metrics.ts";
import { buildServer } from "./http/build-server.ts";
import { closeGently, urlOf } from "./http/listening.ts";
import type { RelayPages } from "./http/pages.ts";
import { requestIds } from "./http/request-ids.ts";
import { trackUnusedConnections } from "./http/idle-connections.ts";
import { openSockets } from "./http/socket.ts";
import { ClosingStack } from "./closing-stack.ts";
import type { Context } from "./domain/context.ts";
import { KnownTokens } from "./domain/known-tokens.ts";
import { RunningUploads } from "./domain/running-uploads.ts";
import { sweep } from "./domain/sweep.ts";
import { type GivenPorts, openPorts } from "./open-ports.ts";
import { type RelaySettings, policyOf, tlsOf } from "./settings.ts";

const SWEEP_MS = 30_000;

/** A relay you can start. Dispose it to stop it. */
export interface Relay extends AsyncDisposable {
  readonly context: Context;
  /** Starts serving. Rejects when the port is in use. */
  listen(): Promise<{ readonly url: string; readonly metricsUrl: string | undefined }>;
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
  const ports = await openPorts(settings.dataFolder, options.ports ?? {}, { log, closing });
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

/** Forgets what another process may have changed, and has everyone who listens look again (rule J7). */
function heedChanges({ changes, known, notifier }: Context): () => void {
  return changes.watch(() => {
    known.forget();
    notifier.missed();
  });
}

/**
 * Sweeps at the start and then twice a minute, except while the last sweep still runs. Disposing waits for that
 * one.
 */
function sweepRegularly(context: Context, log: Logger): AsyncDisposable {
  let running: Promise<void> | undefined;
  const start = () => {
    running ??= sweep(context)
      .catch((error: unknown) => log.error({ err: error }, "sweep failed; retrying"))
      .finally(() => (running = undefined));
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
