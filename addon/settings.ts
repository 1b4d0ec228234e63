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
import { parseRelayUrl } from "./link/relay-url.ts";

/** The setting that renaming this computer stores. */
export const DEVICE_NAME_VARIABLE = "SOUNDFERRY_DEVICE_NAME";

/** What the defaults of the settings depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly hostName: string;
  readonly environment: SettingsSource;
}

/** The importer's settings, keyed by the names that the code uses (rule K3). */
export type ImporterSettings = SettingsOf<ReturnType<typeof importerSettings>>;

/** Where the settings' texts come from; each is keyed by the variable's name, stronger ones first. */
export interface ImporterSources {
  readonly flags?: SettingsSource;
  readonly environment: SettingsSource;
  /** What the panel stored. It can't say where the data folder is, because it lies there. */
  readonly stored?: SettingsSource;
}

/** The table of the importer's settings with the defaults of one machine. */
export function importerSettings(machine: Machine = thisMachine()) {
  const sounds = join(machine.home, "Music", "Soundferry");
  return {
    relayUrl: {
      variable: "SOUNDFERRY_RELAY_URL",
      meaning: "Address of the relay; http only on this computer and in private networks.",
      fallback: "http://127.0.0.1:4700",
      read: parseRelayUrl,
    },
    registrationKey: {
      variable: "SOUNDFERRY_REGISTRATION_KEY",
      meaning: "The key that a relay may want from a new importer.",
      fallback: undefined,
      read: parseRegistrationKey,
    },
    dataFolder: folder(
      machine,
      "SOUNDFERRY_IMPORTER_DATA",
      defaultDataFolder(machine),
      "Folder of the importer's identity, settings and unfinished reports.",
      "soundferry/importer in the user's data folder",
    ),
    soundsFolder: folder(
      machine,
      "SOUNDFERRY_SOUNDS",
      sounds,
      "Folder that imported sounds are put into.",
      "Music/Soundferry in the home folder",
    ),
    inboxFolder: folder(
      machine,
      "SOUNDFERRY_INBOX",
      join(sounds, "Inbox"),
      "Folder that is watched for local packages.",
      "Inbox in the sounds folder",
    ),
    panelPort: wholeNumber(
      "SOUNDFERRY_PANEL_PORT",
      4701,
      "Port of the panel on this computer; 0 takes a free one.",
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
): ImporterSettings {
  const table = importerSettings(machine);
  const { [table.dataFolder.variable]: _, ...storable } = stored;
  const sources = [flags, environment, storable];
  const settings = readSettings(table, sources);
  const inboxGiven = sources.some((source) => source[table.inboxFolder.variable]);
  return inboxGiven ? settings : { ...settings, inboxFolder: join(settings.soundsFolder, "Inbox") };
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
  return cleanTitle(hostName.replace(/\.local$/i, "")) || "Computer";
}

function parseDeviceName(text: string): string {
  const name = cleanTitle(text);
  if (name === "") throw new Error("must have at least one character that can be seen.");
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
