import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Conf from "conf";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** This importer's identity at one relay. */
export interface Identity {
  readonly deviceId: string;
  /** Secret: it must never reach a log line, an error or a page. */
  readonly importerToken: string;
  /** The name that this relay knows. */
  readonly deviceName: string;
}

/** Stores one identity per relay address (rule P9). */
export interface IdentityStore {
  findIdentity(relayUrl: string): Identity | undefined;
  keepIdentity(relayUrl: string, identity: Identity): void;
  forgetIdentity(relayUrl: string): void;
}

/** The `config.json` of the data folder, readable only by its user. */
export interface StoredSettings extends IdentityStore {
  /** Returns what the panel stored, by variable name. */
  settings(): SettingsSource;
  /** Stores a setting's text; undefined removes it. */
  storeSetting(variable: string, text: string | undefined): void;
}

interface Config {
  settings: Record<string, unknown>;
  /** By the relay's address. */
  identities: Record<string, unknown>;
}

/**
 * Opens the settings in a data folder and creates the folder if needed.
 * @throws {SettingsError} when the folder can't be used, or the file is damaged
 */
export function openStoredSettings(dataFolder: string): StoredSettings {
  const conf = openConf(dataFolder);
  const read = (key: keyof Config) => new Map(Object.entries(asObject(conf.get(key))));
  const change = (key: keyof Config, name: string, value: unknown) => {
    const changed = read(key);
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
    conf.set(key, Object.fromEntries(changed));
  };
  return {
    settings: () => Object.fromEntries([...read("settings")].filter((entry) => isTextEntry(entry))),
    storeSetting: (variable, text) => change("settings", variable, text),
    findIdentity: (relayUrl) => parseIdentity(read("identities").get(relayUrl)),
    keepIdentity: (relayUrl, identity) => change("identities", relayUrl, identity),
    forgetIdentity: (relayUrl) => change("identities", relayUrl, undefined),
  };
}

/**
 * Creates the data folder, readable only by its user, if needed.
 * @throws {SettingsError} when that fails
 */
export function makeDataFolder(dataFolder: string): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SettingsError([`SOUNDFERRY_IMPORTER_DATA can't be used: ${sentenceOf(error)}`]);
  }
}

function openConf(dataFolder: string): Conf<Partial<Config>> {
  makeDataFolder(dataFolder);
  try {
    return new Conf<Partial<Config>>({
      cwd: dataFolder,
      configFileMode: 0o600,
      // Keys are relay addresses, which contain dots.
      accessPropertiesByDotNotation: false,
    });
  } catch (error) {
    const path = join(dataFolder, "config.json");
    throw new SettingsError([
      error instanceof SyntaxError
        ? `${path} is damaged. Move it away and start again; you then need to pair your apps again.`
        : `${path} can't be read: ${sentenceOf(error)}`,
    ]);
  }
}

function parseIdentity(value: unknown): Identity | undefined {
  const { deviceId, importerToken, deviceName } = asObject(value);
  if (!isText(deviceId) || !isText(importerToken) || !isText(deviceName)) return undefined;
  return { deviceId, importerToken, deviceName };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return isText(entry[1]);
}
