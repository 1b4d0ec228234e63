import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { FinishedRuns } from "./state/finished-runs.ts";
import type { PairingCodeAnswer } from "../core/protocol/importer-api.ts";
import type { Host } from "./hosts/host.ts";
import { hostLabel } from "./hosts/host-label.ts";
import { readHostSettings } from "./hosts/host-settings.ts";
import { CORRECT_TEMPO } from "./hosts/live-settings.ts";
import { OwnHost } from "./runs/own-host.ts";
import { HostRegistry, type OtherHosts } from "./hosts/host-registry.ts";
import { ColorTurns } from "./runs/color-turns.ts";
import { Journals } from "./runs/journal.ts";
import { Outbox } from "./relay/outbox.ts";
import { SoundsFolder } from "./disk/sounds-folder.ts";
import { ImportRuns } from "./runs/import-runs.ts";
import { Importer } from "./importer.ts";
import type { LiveChecker } from "./hosts/live-checker.ts";
import type { LiveSetup } from "./hosts/live-setup.ts";
import { LiveCheck } from "./runs/live-check.ts";
import { LiveSync } from "./runs/live-sync.ts";
import { InboxSync } from "./packages/inbox-sync.ts";
import { KeptFilesSync } from "./runs/kept-files-sync.ts";
import { PackageFinder } from "./packages/package-finder.ts";
import { PackagePlans } from "./packages/package-plans.ts";
import { RelayConnection } from "./relay/relay-connection.ts";
import { type ImporterSettings, RELAY_URL_VARIABLE } from "./settings.ts";
import { StateStore } from "./state/state-store.ts";
import { openStoredSettings, type StoredSettings } from "./state/stored-settings.ts";
import { REAL_TIMERS, type Timers } from "./concurrency/timers.ts";

export interface BuildImporterOptions {
  readonly settings: ImporterSettings;
  /** The own host: the default of imports, and the session in the panel. */
  readonly host: Host;
  /** Own hosts that are used instead of `host` while they are ready, the most preferred first (rule R9). */
  readonly preferredHosts?: readonly Host[];
  /** Hosts that an import can name (rule R7). */
  readonly otherHosts?: OtherHosts;
  /** Live's control surface, for the panel; absent where there is none to set up. */
  readonly liveSetup?: LiveSetup;
  /** Checks the running Live; absent where there is none to check. */
  readonly liveChecker?: LiveChecker;
  /** Imports packages when they arrive; false by default. */
  readonly autoImport?: boolean;
  /** @deprecated Declare `settings` at the host, which gets the values at placing. */
  readonly onCorrectsTempo?: (isOn: boolean) => void;
  /** Returns the code that people see instead of the relay's; for an owner of both. */
  readonly replaceCode?: (code: PairingCodeAnswer) => Promise<PairingCodeAnswer>;
  /** For tests. */
  readonly timers?: Timers;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Builds an importer; only its `start` connects and watches. The process must own the data folder's lock
 * (rule R3).
 * @throws {SettingsError} when the data folder can't be used, or a host setting is invalid
 */
export function buildImporter(options: BuildImporterOptions): Importer {
  const { settings, host, replaceCode } = options;
  const { timers = REAL_TIMERS, random = Math.random, now = Date.now } = options;
  const { dataFolder, soundsFolder, inboxFolder, registrationKey } = settings;
  const stored = openStoredSettings(dataFolder);
  const keepSetting = (variable: string, text: string) => stored.storeSetting(variable, text);
  const finishedRuns = new FinishedRuns(join(dataFolder, "finished-runs.json"));
  const store = new StateStore({
    deviceName: settings.deviceName,
    connection: {
      relayUrl: settings.relayUrl,
      suggestedRelayUrl: settings.suggestedRelayUrl,
      fixedBecause: settings.relayFixedBecause,
    },
    host: { name: host.name, label: hostLabel(host) },
    finished: finishedRuns.read(),
  });
  finishedRuns.follow(store);
  const { preferredHosts: preferred, otherHosts: others } = options;
  const hosts = new HostRegistry({ preferred, lastResort: host, others, timers });
  const ownHost = buildOwnHost({ ...options, timers }, { hosts, store, stored });
  const settingsOf = (placing: Host) => ownHost.valuesOf(placing);
  const outbox = new Outbox(join(dataFolder, "outbox"));
  const journals = new Journals(join(dataFolder, "runs"), now);
  const colorTurns = new ColorTurns(join(dataFolder, "colour-turns.json"));
  const keepRelayUrl = (relayUrl: string) => keepSetting(RELAY_URL_VARIABLE, relayUrl);
  const relayDeps = { registrationKey, replaceCode, identities: stored, outbox, store };
  const relay = new RelayConnection({ ...relayDeps, keepRelayUrl, timers, random, now });
  const hostsOf = async (packageId: string) => (await journals.read(packageId)).importedInto;
  const ownHostName = () => store.state.host.name;
  const finder = new PackageFinder({ relay, inboxFolder, hostsOf, ownHostName });
  const sounds = new SoundsFolder(soundsFolder);
  const importDeps = { sounds, journals, colorTurns, outbox, newRunId: randomUUID, settingsOf };
  const runs = new ImportRuns({ store, ownHosts: hosts.own, importDeps, timers, now });
  const check = new LiveCheck(options.liveChecker, (work) => runs.runExclusive(work));
  return new Importer({
    store,
    relay,
    inbox: new InboxSync({ inboxFolder, finder, store, timers }),
    keptFiles: new KeptFilesSync({ soundsFolder, runs, store, timers }),
    host: ownHost,
    live: new LiveSync({ setup: options.liveSetup, check, store, timers }),
    hosts,
    finder,
    plans: new PackagePlans({ finder, peekColorTurn: (packageId) => colorTurns.peek(packageId) }),
    runs,
    journals,
    keepSetting,
    isAutomatic: options.autoImport ?? false,
    timers,
  });
}

function buildOwnHost(
  { settings, host, onCorrectsTempo, timers }: BuildImporterOptions & { readonly timers: Timers },
  {
    hosts,
    store,
    stored,
  }: {
    readonly hosts: HostRegistry;
    readonly store: StateStore;
    readonly stored: StoredSettings;
  },
): OwnHost {
  const textOf = (variable: string) => settings.given?.(variable) || stored.settings()[variable];
  return new OwnHost({
    hosts,
    store,
    timers,
    // Callers written for 0.1.0 pass `onCorrectsTempo` for a host that declares nothing.
    declaredBy: (own) => [
      ...(own.settings ?? []),
      ...(own === host && onCorrectsTempo ? [CORRECT_TEMPO] : []),
    ],
    readValues: (declared) => ({
      ...readHostSettings(declared, textOf),
      ...(onCorrectsTempo && { [CORRECT_TEMPO.id]: settings.correctsTempo }),
    }),
    onCorrectsTempo,
    keepSetting: (variable, text) => stored.storeSetting(variable, text),
  });
}
