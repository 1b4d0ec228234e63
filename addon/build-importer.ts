import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { StartHash } from "../core/audio/running-hash.ts";
import { keptDismissals, keptFinishedRuns } from "./state/kept-parts.ts";
import type { PairingCodeAnswer } from "../core/protocol/importer-api.ts";
import type { Host } from "./hosts/host.ts";
import { hostLabel, HostRegistry, type OtherHosts } from "./hosts/host-registry.ts";
import { readHostSettings } from "./hosts/host-settings.ts";
import { OwnHost } from "./runs/own-host.ts";
import { ColorTurns } from "./state/color-turns.ts";
import { Journals } from "./runs/journal.ts";
import { Outbox } from "./relay/outbox.ts";
import { KNOWN_FOLDERS_FILE } from "./disk/known-folders.ts";
import { SoundsFolder } from "./disk/sounds-folder.ts";
import { describeSoundsFolder, usualSoundsFolder } from "./disk/sounds-place.ts";
import { ImportRuns } from "./runs/import-runs.ts";
import { Dismisser } from "./runs/dismisser.ts";
import { Importer } from "./importer.ts";
import type { LiveChecker, LiveSetup } from "./hosts/live-setup.ts";
import { LanSync, type LanSwitch } from "./relay/lan-switch.ts";
import { LiveCheck, LiveSync } from "./runs/live-sync.ts";
import type { FolderRevealer } from "./packages/folder-revealer.ts";
import { InboxSync } from "./packages/inbox.ts";
import { KeptFilesSync } from "./runs/kept-files-sync.ts";
import { type FoundPackage, PackageFinder } from "./packages/package-finder.ts";
import { PackageFolders } from "./packages/package-folders.ts";
import { PackagePlans } from "./packages/package-plans.ts";
import { SavedPackages } from "./packages/saved-packages.ts";
import { RelayConnection } from "./relay/relay-connection.ts";
import { SoundsFolderSetting } from "./runs/sounds-folder-setting.ts";
import { type ImporterSettings, RELAY_URL_VARIABLE, SOUNDS_VARIABLE } from "./settings.ts";
import { StateStore } from "./state/state-store.ts";
import { openStoredSettings, type StoredSettings } from "./state/stored-settings.ts";
import { REAL_TIMERS, type Timers } from "./timers.ts";

export interface BuildImporterOptions {
  readonly settings: ImporterSettings;
  /** The importer's own host: the default of imports, and the session in the panel. */
  readonly host: Host;
  /** Own hosts that are used instead of `host` while they are ready, the most preferred first (rule R9). */
  readonly preferredHosts?: readonly Host[];
  /** Hosts that an import can name (rule R7). */
  readonly otherHosts?: OtherHosts;
  /** Live's control surface, for the panel; absent where there is none to set up. */
  readonly liveSetup?: LiveSetup;
  /** Builds the check of the running Live, whose own sounds are below the sounds folder; absent without a Live. */
  readonly buildLiveChecker?: (soundsFolder: string) => LiveChecker;
  /** Shows folders on this computer (rule N12); absent where nobody would see it. */
  readonly folderRevealer?: FolderRevealer | undefined;
  /** Set while this process runs the relay: nobody needs to say whether it moved (rule P9). */
  readonly isOwnRelay?: boolean;
  /** Opens this program's relay to devices in the local network; absent where the relay isn't its own. */
  readonly lanSwitch?: LanSwitch;
  /** True if a missing sounds folder was deleted, not unplugged (rule F7); by default if nobody chose the folder. */
  readonly isSoundsFolderOurs?: boolean;
  /** The outcome of `up --pretend`, which the panel shows (rule K16). */
  readonly pretends?: string;
  /** Imports packages when they arrive; false by default. */
  readonly autoImport?: boolean;
  /** Returns the code that people see instead of the relay's; for an owner of both. */
  readonly replaceCode?: (code: PairingCodeAnswer) => Promise<PairingCodeAnswer>;
  /** Starts the hash of a sound; on the event loop by default, as where a program may start no thread. */
  readonly startHash?: StartHash | undefined;
  /** Replaced in tests. */
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
  const { settings, replaceCode, isOwnRelay } = options;
  const { timers = REAL_TIMERS, random = Math.random, now = Date.now } = options;
  const { dataFolder, registrationKey } = settings;
  const stored = openStoredSettings(dataFolder);
  const keepSetting = (variable: string, text: string) => stored.storeSetting(variable, text);
  const store = openStore(options);
  const { preferredHosts: preferred, otherHosts: others } = options;
  const hosts = new HostRegistry({ preferred, lastResort: options.host, others, timers });
  const host = buildOwnHost({ ...options, timers }, { hosts, store, stored });
  const settingsOf = (placing: Host) => host.valuesOf(placing);
  const sounds = openSounds(options, keepSetting);
  const saved = new SavedPackages(sounds);
  const { outbox, journals } = openRecords(dataFolder, { store, saved, timers, now });
  const colorTurns = new ColorTurns(join(dataFolder, "color-turns.json"));
  const keepRelayUrl = (relayUrl: string) => keepSetting(RELAY_URL_VARIABLE, relayUrl);
  const relayDeps = { registrationKey, replaceCode, identities: stored, outbox, store, colorTurns };
  const around = { keepRelayUrl, isOwnRelay, timers, random, now };
  const relay = new RelayConnection({ ...relayDeps, ...around });
  const finder = new PackageFinder({ relay, sounds, saved, journals, store });
  const undismiss = (found: FoundPackage) => dismisser.forget(found);
  const newRunId = randomUUID;
  const { startHash } = options;
  const runDeps = { newRunId, settingsOf, timers, startHash };
  const importDeps = { sounds, journals, colorTurns, outbox, ...runDeps };
  const runs = new ImportRuns({ store, hosts, host, finder, undismiss, importDeps, now });
  const { folderRevealer: revealer } = options;
  const checker = checkerBelow(sounds, options);
  const check = new LiveCheck(checker, (work) => runs.runExclusive(work));
  const inbox = new InboxSync({ sounds, finder, colorTurns, store, timers });
  const keptFiles = new KeptFilesSync({ sounds, runs, store, timers });
  const folderDeps = { sounds, settings, runs, inbox, keptFiles, store, keepSetting, revealer };
  const dismisser = new Dismisser({ store, finder, relay, runs, journals, outbox });
  return new Importer({
    store,
    relay,
    inbox,
    keptFiles,
    soundsFolder: new SoundsFolderSetting(folderDeps),
    host,
    lan: new LanSync({ lanSwitch: options.lanSwitch, settings: stored, store }),
    live: new LiveSync({ setup: options.liveSetup, check, store, timers }),
    hosts,
    finder,
    dismisser,
    folders: new PackageFolders({ store, sounds, revealer }),
    plans: new PackagePlans({ finder, colorTurns }),
    runs,
    pruneJournals: async () => journals.prune(await finder.listSavedIds()),
    clearEmptyFolders: () => sounds.clearEmpty({ keep: sounds.inbox, now: now() }),
    keepSetting,
    isAutomatic: options.autoImport ?? false,
    timers,
  });
}

/** Opens the state as an earlier start left it. The parts that outlive this start are written whenever they change. */
function openStore({ settings, host, folderRevealer, pretends }: BuildImporterOptions): StateStore {
  const { dataFolder } = settings;
  const finishedRuns = keptFinishedRuns(join(dataFolder, "finished-runs.json"));
  const dismissals = keptDismissals(join(dataFolder, "dismissals.json"));
  const store = new StateStore({
    deviceName: settings.deviceName,
    connection: {
      relayUrl: settings.relayUrl,
      suggestedRelayUrl: settings.suggestedRelayUrl,
      fixedBecause: settings.relayFixedBecause,
    },
    host: { name: host.name, label: hostLabel(host) },
    soundsFolder: describeSoundsFolder(settings, homedir()),
    finished: finishedRuns.read(),
    dismissed: dismissals.read(),
    canReveal: folderRevealer?.kind ?? null,
    pretends: pretends ?? null,
  });
  finishedRuns.follow(store);
  dismissals.follow(store);
  return store;
}

/** Opens the records of runs: those in the journals, and the reports that a relay doesn't have yet. */
function openRecords(
  dataFolder: string,
  deps: {
    readonly store: StateStore;
    readonly saved: SavedPackages;
    readonly timers: Timers;
    readonly now: () => number;
  },
): { readonly outbox: Outbox; readonly journals: Journals } {
  const { store, saved, timers, now } = deps;
  const outbox = new Outbox(join(dataFolder, "outbox"), {
    keptOf: (id) => saved.keptOf(id),
    endRun: (id) => journals.endReported(id),
    onRefused: (sentence) => store.change({ diskTrouble: sentence }),
    now: () => timers.now(),
  });
  const journals = new Journals(join(dataFolder, "runs"), now, (id) => outbox.runOf(id));
  return { outbox, journals };
}

/** Opens the sounds folder. Its first use stores a place that nobody chose, so that it stays (rule F9). */
function openSounds(
  { settings, isSoundsFolderOurs }: BuildImporterOptions,
  keepSetting: (variable: string, text: string) => void,
): SoundsFolder {
  const { dataFolder, soundsFolder, inboxFolder, isInboxGiven, isSoundsFolderNew } = settings;
  const isUsual = soundsFolder === usualSoundsFolder(homedir());
  const isOurs = isSoundsFolderOurs ?? isUsual;
  return new SoundsFolder(soundsFolder, {
    knownFolders: isOurs ? undefined : join(dataFolder, KNOWN_FOLDERS_FILE),
    inbox: isInboxGiven ? inboxFolder : undefined,
    onFirstUse: isSoundsFolderNew ? (path) => keepSetting(SOUNDS_VARIABLE, path) : undefined,
  });
}

/** Returns the check of Live, with its sounds below the sounds folder as it is then. */
function checkerBelow(
  sounds: SoundsFolder,
  { buildLiveChecker }: BuildImporterOptions,
): LiveChecker | undefined {
  return buildLiveChecker && ((talk) => buildLiveChecker(sounds.path)(talk));
}

function buildOwnHost(
  { settings, timers }: BuildImporterOptions & { readonly timers: Timers },
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
    readValues: (declared) => readHostSettings(declared, textOf),
    keepSetting: (variable, text) => stored.storeSetting(variable, text),
  });
}
