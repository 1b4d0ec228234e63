import { join } from "node:path";
import { SettingsError } from "../../core/settings.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { toDiskError } from "../disk/disk-error.ts";
import { setTimeout } from "node:timers/promises";
import { type BuildImporterOptions, buildImporter } from "../build-importer.ts";
import { answersAt, ControlClient } from "./control-client.ts";
import { type ControlServer, serveControl } from "./control-server.ts";
import { importerRoutes } from "./importer-routes.ts";
import { panelKeyRoutes } from "./panel-keys.ts";
import type { Importer, ImporterCalls } from "../importer.ts";
import { clearLeftovers } from "../disk/clear-leftovers.ts";
import { type LockHeldElsewhere, Lock, type LockOwner, takeLock } from "../disk/lock.ts";
import { makeDataFolder } from "../state/stored-settings.ts";
import { REAL_TIMERS } from "../timers.ts";

/** Longest wait for another importer to start, or for a brief one to close. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

export interface StartImporterOptions extends BuildImporterOptions {
  /** Returns the panel's page as HTML; without it, only the calls are served. */
  readonly panelPage?: () => Promise<string>;
  /** True to fall back to a free port when the panel's is in use; false by default. */
  readonly orAnyPort?: boolean;
}

/** A long-running importer. */
export interface RunningImporter extends AsyncDisposable {
  readonly importer: Importer;
  /** Port of the panel and the control server on 127.0.0.1. */
  readonly port: number;
  /** Authorizes calls to the port (rule N1); new at each start. */
  readonly secret: string;
  /** The panel's address, including the secret. */
  readonly panelUrl: string;
  close(): Promise<void>;
}

/** The error when another importer owns the data folder. */
export class ImporterRunsError extends Error {
  override readonly name = "ImporterRunsError";

  /** @param holder undefined if nobody says who it is: some network shares can't lock files, for example */
  constructor(holder: LockOwner | undefined, dataFolder: string) {
    const who =
      holder === undefined
        ? `Another program has locked ${dataFolder}, or its disk can't lock files. Close it`
        : `An importer is already running (process ${holder.pid}) and uses ${dataFolder}. Stop it`;
    super(`${who}, or set SOUNDFERRY_IMPORTER_DATA to another folder.`);
  }
}

/**
 * Starts a long-running importer that owns its data folder (rule R3); waits for a brief one to close.
 * @throws {ImporterRunsError} when another one owns the folder
 * @throws {SettingsError} when the folder can't be used
 * @throws {ControlError} when it can't listen on the panel's port
 */
export async function startImporter(options: StartImporterOptions): Promise<RunningImporter> {
  const { dataFolder, panelPort } = options.settings;
  const taken = await takeDataFolder(
    dataFolder,
    { isBrief: false },
    ({ isBrief, port }) => isBrief || port === null,
  );
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

/** An importer for a few calls. */
export interface OpenedImporter extends AsyncDisposable {
  readonly importer: ImporterCalls;
  /** True if it runs in another process, and imports into that process's host. */
  readonly isElsewhere: boolean;
}

/**
 * Returns a client of the importer that runs on the data folder, or else a new importer, which also
 * serves other processes (rule R3).
 * @throws {ImporterRunsError} when another one starts but doesn't begin to listen
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
  const { heldBy } = taken;
  if (heldBy === undefined || heldBy.port === null) throw new ImporterRunsError(heldBy, dataFolder);
  const client = new ControlClient({ port: heldBy.port, secret: heldBy.secret });
  return { importer: client, isElsewhere: true, [Symbol.asyncDispose]: async () => client.close() };
}

/** Takes a data folder's lock; waits up to `MAX_WAIT_MS` while `shouldWait` accepts its holder. */
async function takeDataFolder(
  dataFolder: string,
  { isBrief }: { readonly isBrief: boolean },
  shouldWait: (holder: LockOwner) => boolean,
): Promise<Lock | LockHeldElsewhere> {
  makeDataFolder(dataFolder);
  const path = join(dataFolder, "importer.lock");
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const taken = await takeLock(path, { answersAt, isBrief }).catch((error: unknown) => {
      const sentence = sentenceOf(toDiskError(error));
      throw new SettingsError([`SOUNDFERRY_IMPORTER_DATA can't be used: ${sentence}`]);
    });
    if (taken instanceof Lock || waitedMs >= MAX_WAIT_MS) return taken;
    if (taken.heldBy !== undefined && !shouldWait(taken.heldBy)) return taken;
    await setTimeout(POLL_MS);
  }
}

interface ServedImporter {
  readonly importer: Importer;
  readonly control: ControlServer;
  readonly close: () => Promise<void>;
}

/** Builds an importer and serves it for as long as it holds the lock. */
async function serve(
  lock: Lock,
  options: StartImporterOptions,
  port: number,
): Promise<ServedImporter> {
  const { panelPage, orAnyPort = false, timers = REAL_TIMERS, now = Date.now } = options;
  try {
    await clearLeftovers(options.settings.dataFolder);
    const importer = buildImporter(options);
    const routes = [
      ...importerRoutes(importer, { panelPage, timers, now }),
      ...panelKeyRoutes(lock.secret, timers),
    ];
    const control = await serveControl(routes, { port, orAnyPort, secret: lock.secret });
    lock.publish(control.port);
    let closing: Promise<void> | undefined;
    const closeAll = async () => {
      await importer.close();
      // Release first: a process that finds the lock must reach its holder.
      await lock.release();
      await control.close();
    };
    return { importer, control, close: () => (closing ??= closeAll()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
