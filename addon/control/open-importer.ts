import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type BuildImporterOptions, buildImporter } from "../build-importer.ts";
import { answersAt, ControlClient } from "./control-client.ts";
import { type ControlServer, serveControl } from "./control-server.ts";
import { importerRoutes } from "./importer-routes.ts";
import type { Importer, ImporterCalls } from "../importer.ts";
import { type HeldElsewhere, Lock, type LockHolder, takeLock } from "../disk/lock.ts";
import { makeDataFolder } from "../state/stored-settings.ts";
import { REAL_TIMERS } from "../concurrency/timers.ts";

/** How long another importer may take to start, or a short call to end, before it is given up on. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

export interface StartImporterOptions extends BuildImporterOptions {
  /** Gives the panel's page as one HTML text; without it there is no panel, but all that one calls. */
  readonly panelPage?: () => Promise<string>;
  /** Whether a free port is taken where the panel's is not to be had; false. */
  readonly orAnyPort?: boolean;
}

/** An importer that runs until it is closed. */
export interface RunningImporter extends AsyncDisposable {
  readonly importer: Importer;
  /** Where its panel and its control server listen, on 127.0.0.1. */
  readonly port: number;
  /** What calls there must show (rule N1); another at each start. */
  readonly secret: string;
  /** The panel's whole address, with the secret in it. */
  readonly panelUrl: string;
  close(): Promise<void>;
}

/** Another importer owns the data folder. */
export class ImporterRunsError extends Error {
  override readonly name = "ImporterRunsError";
  readonly holder: LockHolder;

  constructor(holder: LockHolder, dataFolder: string) {
    super(
      `An importer is already running (process ${holder.pid}) and uses ${dataFolder}. Stop it, or set SOUNDFERRY_IMPORTER_DATA to another folder.`,
    );
    this.holder = holder;
  }
}

/**
 * Starts a long-running importer that owns its data folder (rule R3). A short call that has the folder
 * just then is waited for.
 * @throws {ImporterRunsError} when another one owns it
 * @throws {SettingsError} when the data folder can't be used
 * @throws {ControlError} when the panel's port can't be had
 */
export async function startImporter(options: StartImporterOptions): Promise<RunningImporter> {
  const { dataFolder, panelPort } = options.settings;
  const taken = await takeDataFolder(dataFolder, { isBrief: false }, (holder) => holder.isBrief);
  if (!(taken instanceof Lock)) throw new ImporterRunsError(taken.heldBy, dataFolder);
  const served = await serve(taken, options, panelPort);
  try {
    await served.importer.start();
  } catch (error) {
    await served.close();
    throw error;
  }
  const { port } = served.control;
  const { secret } = taken;
  return {
    importer: served.importer,
    port,
    secret,
    panelUrl: `http://127.0.0.1:${port}/#${secret}`,
    close: served.close,
    [Symbol.asyncDispose]: served.close,
  };
}

/** An importer for a few calls; disposing of it ends what it began. */
export interface OpenedImporter extends AsyncDisposable {
  readonly importer: ImporterCalls;
  /** Whether it runs in another process, and imports into that one's host. */
  readonly isElsewhere: boolean;
}

/**
 * Gives an importer to ask: the one that runs on the data folder, else one of this process's own, which
 * others may ask meanwhile (rule R3).
 * @throws {ImporterRunsError} when one starts but does not come to listen
 * @throws {SettingsError} when the data folder can't be used
 */
export async function openImporter(options: BuildImporterOptions): Promise<OpenedImporter> {
  const { dataFolder } = options.settings;
  const taken = await takeDataFolder(dataFolder, { isBrief: true }, ({ port }) => port === null);
  if (taken instanceof Lock) {
    const { importer, control, close } = await serve(taken, options, 0);
    const finish = async () => {
      await control.idle();
      await close();
    };
    return { importer, isElsewhere: false, [Symbol.asyncDispose]: finish };
  }
  const { port, secret } = taken.heldBy;
  if (port === null) throw new ImporterRunsError(taken.heldBy, dataFolder);
  const client = new ControlClient({ port, secret });
  return { importer: client, isElsewhere: true, [Symbol.asyncDispose]: async () => client.close() };
}

/** Takes the lock of a data folder; waits for a while as long as `shouldWait` says so of its holder. */
async function takeDataFolder(
  dataFolder: string,
  { isBrief }: { readonly isBrief: boolean },
  shouldWait: (holder: LockHolder) => boolean,
): Promise<Lock | HeldElsewhere> {
  makeDataFolder(dataFolder);
  const path = join(dataFolder, "importer.lock");
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const taken = await takeLock(path, { answersAt, isBrief });
    if (taken instanceof Lock || waitedMs >= MAX_WAIT_MS || !shouldWait(taken.heldBy)) return taken;
    await setTimeout(POLL_MS);
  }
}

interface ServedImporter {
  readonly importer: Importer;
  readonly control: ControlServer;
  readonly close: () => Promise<void>;
}

/** Builds an importer that answers others for as long as it holds the lock. */
async function serve(
  lock: Lock,
  options: StartImporterOptions,
  port: number,
): Promise<ServedImporter> {
  const { panelPage, orAnyPort = false, timers = REAL_TIMERS, now = Date.now } = options;
  try {
    const importer = buildImporter(options);
    const routes = importerRoutes(importer, { panelPage, timers, now });
    const control = await serveControl(routes, { port, orAnyPort, secret: lock.secret });
    lock.publish(control.port);
    let closing: Promise<void> | undefined;
    const closeAll = async () => {
      await importer.close();
      // Who finds the lock must find its holder listening, too.
      await lock.release();
      await control.close();
    };
    return { importer, control, close: () => (closing ??= closeAll()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
