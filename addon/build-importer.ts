import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Host } from "./host/host.ts";
import { ColourTurns } from "./import/colour-turns.ts";
import { Journals } from "./import/journal.ts";
import { Outbox } from "./import/outbox.ts";
import { SoundsFolder } from "./import/sounds-folder.ts";
import { ImportRuns } from "./import-runs.ts";
import { Importer } from "./importer.ts";
import { StateHolder } from "./importer-state.ts";
import { RelayLink } from "./link/relay-link.ts";
import { PackageFinder } from "./package-finder.ts";
import { RelayMirror } from "./relay-mirror.ts";
import { DEVICE_NAME_VARIABLE, type ImporterSettings } from "./settings.ts";
import { openStoredSettings } from "./stored-settings.ts";
import { REAL_TIMERS, type Timers } from "./timers.ts";

export interface BuildImporterOptions {
  readonly settings: ImporterSettings;
  readonly host: Host;
  /** Whether packages are imported when they arrive; false. */
  readonly autoImport?: boolean;
  /** For tests: what waits, draws and tells the time. */
  readonly timers?: Timers;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Builds an importer. Nothing is connected or watched before its `start`. The data folder is this
 * process's own while it lives: see `takeLock` (rule R3).
 * @throws {SettingsError} when the data folder can't be used
 */
export function buildImporter(options: BuildImporterOptions): Importer {
  const { settings, host, timers = REAL_TIMERS, random = Math.random, now = Date.now } = options;
  const { dataFolder, relayUrl, registrationKey, deviceName } = settings;
  const stored = openStoredSettings(dataFolder);
  const holder = new StateHolder({ deviceName, relayUrl });
  const link = new RelayLink({
    relayUrl,
    registrationKey,
    deviceName,
    identities: stored,
    timers,
    random,
    listener: {
      onConnected: () => {
        holder.changeConnection({ status: "connected", trouble: null });
        mirror.refresh();
      },
      onRing: (message) => mirror.hear(message),
      onLost: (trouble) => holder.changeConnection({ status: "offline", trouble }),
      onIdentityLost: () => holder.changeConnection({ mustPairAgain: true }),
    },
  });
  const { client, identity } = link;
  const outbox = new Outbox(join(dataFolder, "outbox"), relayUrl);
  const journals = new Journals(join(dataFolder, "runs"), now);
  const mirror = new RelayMirror({ client, identity, outbox, holder, timers });
  const deps = {
    host,
    sounds: new SoundsFolder(settings.soundsFolder),
    journals,
    colourTurns: new ColourTurns(join(dataFolder, "colour-turns.json")),
    outbox,
    newRunId: randomUUID,
  };
  return new Importer({
    holder,
    link,
    mirror,
    finder: new PackageFinder(mirror, client, journals, settings.inboxFolder),
    runs: new ImportRuns({ holder, client, deps, timers, now }),
    inboxFolder: settings.inboxFolder,
    isAutomatic: options.autoImport ?? false,
    keepDeviceName: (name) => stored.storeSetting(DEVICE_NAME_VARIABLE, name),
    timers,
  });
}
