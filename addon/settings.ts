import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import {
  readSettings,
  registrationKey,
  secret,
  type Setting,
  type SettingsOf,
  type SettingsSource,
  wholeNumber,
  inGroup,
} from "../core/settings.ts";
import { cleanTitle } from "../core/text/clean-text.ts";
import { userDataFolder } from "../program/user-data-folder.ts";
import { expandHome } from "./disk/home-path.ts";
import { type SoundsLibrary, soundsFolderIn, usualSoundsFolder } from "./disk/sounds-place.ts";
import { hostSettingsTable, LIVE_SETTINGS } from "./hosts/host-settings.ts";
import { parseRelayUrl } from "./relay/relay-url.ts";

export const DEVICE_NAME_VARIABLE = "SOUNDFERRY_DEVICE_NAME";
export const RELAY_URL_VARIABLE = "SOUNDFERRY_RELAY_URL";
export const SOUNDS_VARIABLE = "SOUNDFERRY_SOUNDS";
/** The settings of the product's own hosts: flags and variables of every importer. */
const HOST_TABLE = inGroup("Live", hostSettingsTable([...LIVE_SETTINGS]));

const LIVE_LIBRARY_VARIABLE = "SOUNDFERRY_LIVE_LIBRARY";

/** The machine's properties on which the settings' defaults depend. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly hostName: string;
  readonly environment: SettingsSource;
}

/** The importer's settings (rule K3). */
export interface ImporterSettings extends SettingsOf<ReturnType<typeof ownSettings>> {
  /** Live's User Library; absent to look where Live keeps it. */
  readonly liveLibrary?: string | undefined;
  /** Prefills the panel's address field; may be empty. */
  readonly suggestedRelayUrl: string;
  /** Sentence on why the relay's address can't be changed in the panel; null where it can (rule N4). */
  readonly relayFixedBecause: string | null;
  /** True if nobody has chosen the sounds folder, and no importer has used it yet (rule F9). */
  readonly isSoundsFolderNew: boolean;
  /** Sentence on why the sounds folder can't be changed in the panel; null where it can. */
  readonly soundsFixedBecause: string | null;
  /** True if the inbox is a folder of its own; else it is in the sounds folder, wherever that is. */
  readonly isInboxGiven: boolean;
  /** Live's User Library; absent where there is none, or nobody has looked. */
  readonly library?: SoundsLibrary;
  /** Returns a variable's text from the flags, or else the environment: for host settings. */
  readonly given?: (variable: string) => string | undefined;
}

/** The relay of an importer without a configured one. */
export interface RelayDefault {
  /** The relay's address; null for none until the panel sets it (rule N4). */
  readonly relayUrl: string | null;
  /** Prefills the panel's address field; empty by default. */
  readonly suggestedRelayUrl?: string;
}

/** The relay that `soundferry up` and `soundferry relay` start. */
const OWN_RELAY: RelayDefault = { relayUrl: "http://127.0.0.1:4700" };

/** The sources of settings by variable name, highest precedence first. */
export interface ImporterSources {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
  /** Settings that the panel stored. They lie in the data folder, so they can't name that folder. */
  readonly stored?: SettingsSource;
}

/** Returns the table of the importer's and its hosts' settings, with a machine's defaults. */
export function importerSettings(
  machine: Machine = thisMachine(),
  relayDefault: RelayDefault = OWN_RELAY,
) {
  const live = inGroup("Live", liveSettings(machine));
  return { ...ownSettings(machine, relayDefault), ...live, ...HOST_TABLE };
}

function liveSettings({ home }: Machine) {
  return {
    liveLibrary: {
      variable: LIVE_LIBRARY_VARIABLE,
      meaning: "Live's User Library, for Live's script and new sounds.",
      fallback: undefined,
      fallbackText: "where Live keeps it",
      read: (text: string): string | undefined => expandHome(text, home),
    },
  } as const satisfies Record<string, Setting<unknown>>;
}

function ownSettings(machine: Machine, { relayUrl }: RelayDefault) {
  const sounds = usualSoundsFolder(machine.home);
  const own = {
    relayUrl: {
      variable: RELAY_URL_VARIABLE,
      meaning: "Address of the relay; http only on this computer and in private networks.",
      fallback: relayUrl,
      read: (text: string): string | null => parseRelayUrl(text),
    },
    dataFolder: folder(
      machine,
      "SOUNDFERRY_IMPORTER_DATA",
      join(userDataFolder(machine), "soundferry", "importer"),
      "Folder for the importer's identity, settings and unsent reports.",
      "soundferry/importer in the user's data folder",
    ),
    soundsFolder: folder(
      machine,
      SOUNDS_VARIABLE,
      sounds,
      "Folder for imported sounds.",
      "Samples/Soundferry in Live's User Library, or else Music/Soundferry in the home folder",
    ),
    inboxFolder: folder(
      machine,
      "SOUNDFERRY_INBOX",
      join(sounds, "Inbox"),
      "Folder watched for local packages.",
      "Inbox in the sounds folder",
    ),
    panelPort: wholeNumber(
      "SOUNDFERRY_PANEL_PORT",
      4701,
      "Port of the panel on this computer; 0 picks a free one.",
      { min: 0, max: 65_535 },
    ),
    deviceName: {
      variable: DEVICE_NAME_VARIABLE,
      meaning: "Name of this computer, as apps show it.",
      fallback: defaultDeviceName(machine.hostName),
      fallbackText: "the host name",
      read: parseDeviceName,
    },
  } as const satisfies Record<string, Setting<unknown>>;
  const registration = secret(
    "registrationKey",
    registrationKey("Key that some relays require from a new importer."),
    (path) => readFileSync(path, "utf8"),
  );
  return {
    ...inGroup("Importer", own),
    ...inGroup("Registration and pairing", registration),
  };
}

/**
 * Reads and validates the importer's settings. Precedence: flags, environment, stored, defaults.
 * @throws {SettingsError} with every problem at once
 */
export function readImporterSettings(
  { flags = {}, environment, stored = {} }: ImporterSources,
  machine: Machine = thisMachine(),
  relayDefault: RelayDefault = OWN_RELAY,
): ImporterSettings {
  const table = ownSettings(machine, relayDefault);
  const { registrationKey: key, registrationKeyFile: keyFile } = table;
  const given = (variable: string) => flags[variable] || environment[variable];
  const { [table.dataFolder.variable]: _, [key.variable]: storedKey, ...others } = stored;
  // A setting that is given now replaces the one that the panel stored.
  const storable = given(keyFile.variable) ? others : { ...others, [key.variable]: storedKey };
  const sources = [flags, environment, storable];
  // Validate all first, to report every problem at once.
  readSettings({ ...table, ...HOST_TABLE }, sources);
  const settings = readSettings({ ...table, ...liveSettings(machine) }, sources);
  const inboxGiven = sources.some((source) => source[table.inboxFolder.variable]);
  return {
    ...settings,
    ...(!inboxGiven && { inboxFolder: join(settings.soundsFolder, "Inbox") }),
    isInboxGiven: inboxGiven,
    isSoundsFolderNew: !sources.some((source) => source[SOUNDS_VARIABLE]),
    soundsFixedBecause: flags[SOUNDS_VARIABLE]
      ? "The sounds folder was set when Soundferry was started."
      : environment[SOUNDS_VARIABLE]
        ? `The sounds folder is set by ${SOUNDS_VARIABLE}.`
        : null,
    suggestedRelayUrl: relayDefault.suggestedRelayUrl ?? "",
    relayFixedBecause: flags[RELAY_URL_VARIABLE]
      ? "The relay's address was set when Soundferry was started."
      : environment[RELAY_URL_VARIABLE]
        ? `The relay's address is set by ${RELAY_URL_VARIABLE}.`
        : null,
    given,
  };
}

/**
 * Adds Live's User Library to settings. A sounds folder that is still new goes there, unless the library has a trouble
 * (rule F9).
 */
export function withLibrary(
  settings: ImporterSettings,
  library: SoundsLibrary | undefined,
): ImporterSettings {
  if (library === undefined) return settings;
  if (!settings.isSoundsFolderNew || library.trouble !== null) return { ...settings, library };
  const soundsFolder = soundsFolderIn(library.path);
  const inbox = settings.isInboxGiven ? {} : { inboxFolder: join(soundsFolder, "Inbox") };
  return { ...settings, library, soundsFolder, ...inbox };
}

/** Returns the data folder alone: the stored settings are read from it before the others. */
export function findDataFolder(
  { flags = {}, environment }: ImporterSources,
  machine: Machine = thisMachine(),
): string {
  const { dataFolder } = importerSettings(machine);
  return readSettings({ dataFolder }, [flags, environment]).dataFolder;
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    home: homedir(),
    hostName: hostname(),
    environment: process.env,
  };
}

function defaultDeviceName(hostName: string): string {
  return cleanDeviceName(hostName.replace(/\.local$/i, ""));
}

/** Cleans a computer's name like a relay does (rule P1). */
export function cleanDeviceName(text: string): string {
  return cleanTitle(text) || "Computer";
}

function parseDeviceName(text: string): string {
  const name = cleanTitle(text);
  if (name === "") throw new Error("must have at least one visible character.");
  return name;
}

/** Returns a folder setting. */
function folder(
  { home }: Machine,
  variable: string,
  fallback: string,
  meaning: string,
  fallbackText: string,
): Setting<string> {
  return {
    variable,
    fallback,
    meaning,
    fallbackText,
    read: (text) => expandHome(text, home),
  };
}
