import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import {
  readSettings,
  type Setting,
  type SettingsOf,
  type SettingsSource,
  wholeNumber,
} from "../core/settings.ts";
import { cleanTitle } from "../core/text/clean-title.ts";
import { userDataFolder } from "../core/user-data-folder.ts";
import { hostSettingsTable } from "./hosts/host-settings.ts";
import { LIVE_SETTINGS } from "./hosts/live-settings.ts";
import { parseRelayUrl } from "./relay/relay-url.ts";

/** The setting that renaming this computer stores. */
export const DEVICE_NAME_VARIABLE = "SOUNDFERRY_DEVICE_NAME";
/** The setting that choosing another relay stores. */
export const RELAY_URL_VARIABLE = "SOUNDFERRY_RELAY_URL";
/** What the product's own hosts declare: each is a flag and a variable of every importer. */
const HOST_TABLE = hostSettingsTable([...LIVE_SETTINGS]);

/** What the defaults of the settings depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly hostName: string;
  readonly environment: SettingsSource;
}

/** The importer's settings, keyed by the names that the code uses (rule K3). */
export interface ImporterSettings extends SettingsOf<ReturnType<typeof ownSettings>> {
  /** What the panel's empty address field is filled with; may be empty. */
  readonly suggestedRelayUrl: string;
  /** Why the relay's address can't be changed in the panel, in a sentence; null where it can (rule N4). */
  readonly relayFixedBecause: string | null;
  /** The text that a flag, or else the environment, gives a variable: for settings of hosts. */
  readonly given?: (variable: string) => string | undefined;
  /** @deprecated The host's `correct-tempo` setting; it stays for callers written for 0.1.0. */
  readonly correctsTempo: boolean;
}

/** Which relay an importer has that was told of none. */
export interface RelayDefault {
  /** null leaves it without one, until the panel sets it (rule N4). */
  readonly relayUrl: string | null;
  /** What the panel's address field is filled with then; empty where left out. */
  readonly suggestedRelayUrl?: string;
}

/** The relay that `soundferry up` and `soundferry relay` start. */
const OWN_RELAY: RelayDefault = { relayUrl: "http://127.0.0.1:4700" };

/** Where the settings' texts come from; each is keyed by the variable's name, stronger ones first. */
export interface ImporterSources {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
  /** What the panel stored. It can't say where the data folder is, because it lies there. */
  readonly stored?: SettingsSource;
}

/** The table of the importer's settings, and its hosts', with the defaults of one machine. */
export function importerSettings(
  machine: Machine = thisMachine(),
  relayDefault: RelayDefault = OWN_RELAY,
) {
  return { ...ownSettings(machine, relayDefault), ...HOST_TABLE };
}

function ownSettings(machine: Machine, { relayUrl }: RelayDefault) {
  const sounds = join(machine.home, "Music", "Soundferry");
  return {
    relayUrl: {
      variable: RELAY_URL_VARIABLE,
      meaning: "Address of the relay; http only on this computer and in private networks.",
      fallback: relayUrl,
      read: (text: string): string | null => parseRelayUrl(text),
    },
    registrationKey: {
      variable: "SOUNDFERRY_REGISTRATION_KEY",
      meaning: "Key that some relays require from a new importer.",
      fallback: undefined,
      read: parseRegistrationKey,
    },
    dataFolder: folder(
      machine,
      "SOUNDFERRY_IMPORTER_DATA",
      defaultDataFolder(machine),
      "Folder for the importer's identity, settings and unsent reports.",
      "soundferry/importer in the user's data folder",
    ),
    soundsFolder: folder(
      machine,
      "SOUNDFERRY_SOUNDS",
      sounds,
      "Folder for imported sounds.",
      "Music/Soundferry in the home folder",
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
}

/**
 * Reads and judges the importer's settings: flags, then the environment, then what was stored, then
 * the defaults.
 * @throws {SettingsError} with every problem at once
 */
export function readImporterSettings(
  { flags = {}, environment, stored = {} }: ImporterSources,
  machine: Machine = thisMachine(),
  relayDefault: RelayDefault = OWN_RELAY,
): ImporterSettings {
  const table = ownSettings(machine, relayDefault);
  const { [table.dataFolder.variable]: _, ...storable } = stored;
  const sources = [flags, environment, storable];
  // All are judged first, so that every problem is told at once.
  readSettings({ ...table, ...HOST_TABLE }, sources);
  const settings = readSettings(table, sources);
  const inboxGiven = sources.some((source) => source[table.inboxFolder.variable]);
  return {
    ...settings,
    ...(!inboxGiven && { inboxFolder: join(settings.soundsFolder, "Inbox") }),
    suggestedRelayUrl: relayDefault.suggestedRelayUrl ?? "",
    relayFixedBecause: flags[RELAY_URL_VARIABLE]
      ? "The relay's address was set when Soundferry was started."
      : environment[RELAY_URL_VARIABLE]
        ? `The relay's address is set by ${RELAY_URL_VARIABLE}.`
        : null,
    given: (variable) => flags[variable] || environment[variable],
    correctsTempo: readSettings(HOST_TABLE, sources)["correct-tempo"] === true,
  };
}

/** Where the importer keeps its own files, for reading what was stored there before all else. */
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

function defaultDataFolder(machine: Machine): string {
  return join(userDataFolder(machine, join), "soundferry", "importer");
}

function defaultDeviceName(hostName: string): string {
  return cleanDeviceName(hostName.replace(/\.local$/i, ""));
}

/** The name of a computer as a relay would clean it (rule P1). */
export function cleanDeviceName(text: string): string {
  return cleanTitle(text) || "Computer";
}

function parseDeviceName(text: string): string {
  const name = cleanTitle(text);
  if (name === "") throw new Error("must have at least one visible character.");
  return name;
}

/** It travels in a header, and never shows up in a message. */
function parseRegistrationKey(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) {
    throw new Error("must be plain letters, digits and signs, without spaces.");
  }
  return text;
}

/** A folder; `~` at its start is the home folder, and a relative one starts at the working folder. */
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
    read: (text) => resolve(text.replace(/^~(?=$|[/\\])/, () => home)),
  };
}
