import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Conf from "conf";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** Who this importer is to one relay. */
export interface Identity {
  readonly deviceId: string;
  /** Secret: it never reaches a log line, an error or a page. */
  readonly importerToken: string;
  /** The last name that this relay got. */
  readonly deviceName: string;
}

/** Where identities are kept, one for each relay's address (rule P9). */
export interface IdentityStore {
  findIdentity(relayUrl: string): Identity | undefined;
  keepIdentity(relayUrl: string, identity: Identity): void;
  forgetIdentity(relayUrl: string): void;
}

/** What the importer keeps in `config.json` of its data folder, readable by its user alone. */
export interface StoredSettings extends IdentityStore {
  /** What the panel stored, by the variable's name. */
  settings(): SettingsSource;
  /** Keeps the text of one setting; undefined forgets it. */
  storeSetting(variable: string, text: string | undefined): void;
}

interface Kept {
  settings: Record<string, unknown>;
  /** By the relay's address. */
  identities: Record<string, unknown>;
}

/**
 * Opens what is kept in a data folder, which is made where there is none.
 * @throws {SettingsError} when the folder can't be used, or its file is damaged
 */
export function openStoredSettings(dataFolder: string): StoredSettings {
  const conf = openConf(dataFolder);
  const read = (key: keyof Kept) => new Map(Object.entries(asObject(conf.get(key))));
  const change = (key: keyof Kept, name: string, value: unknown) => {
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
 * Makes the importer's own folder, for its user alone, where there is none.
 * @throws {SettingsError} when that can't be done
 */
export function makeDataFolder(dataFolder: string): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SettingsError([`SOUNDFERRY_IMPORTER_DATA can't be used: ${sentenceOf(error)}`]);
  }
}

function openConf(dataFolder: string): Conf<Partial<Kept>> {
  makeDataFolder(dataFolder);
  try {
    return new Conf<Partial<Kept>>({
      cwd: dataFolder,
      configFileMode: 0o600,
      // A relay's address is a key and has dots in it.
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

function parseIdentity(kept: unknown): Identity | undefined {
  const { deviceId, importerToken, deviceName } = asObject(kept);
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
