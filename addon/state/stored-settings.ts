import { readFileSync } from "node:fs";
import { join } from "node:path";
import type Conf from "conf";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { withoutMark } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { FolderNotMadeError } from "../../program/make-folder.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { orDiskError, toDiskError } from "../disk/disk-error.ts";
import { isMissing, makeDurableFolderSync } from "../disk/atomic-file.ts";
import {
  findProblem,
  type Identity,
  type IdentityEntry,
  type IdentityFile,
  formatEntries,
  readEntries,
} from "./identity-entries.ts";
import { loadConf } from "./load-conf.ts";

export type { Identity } from "./identity-entries.ts";

/** Stores the importer's identities (rule P9). */
export interface IdentityStore {
  /**
   * Returns the identities; at each address, the one in use comes first.
   * @throws {SettingsError} when they are damaged
   */
  identities(): readonly IdentityEntry[];
  /**
   * Replaces all identities, in this order.
   * @throws {SettingsError} when the earlier ones are damaged; they stay as they are
   */
  storeIdentities(entries: readonly IdentityEntry[]): void;
}

/** The `config.json` of the data folder, readable only by its user. */
export interface StoredSettings extends IdentityStore {
  /** Returns the identity in use at an address. */
  findIdentity(relayUrl: string): Identity | undefined;
  /** Returns what the panel stored, by variable name. */
  settings(): SettingsSource;
  /** Stores a setting's text; undefined removes it. */
  storeSetting(variable: string, text: string | undefined): void;
}

interface Config extends IdentityFile {
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Opens the settings in a data folder and creates the folder if needed.
 * @throws {SettingsError} when the folder can't be used, or the file is damaged; it stays as it is
 */
export function openStoredSettings(dataFolder: string): StoredSettings {
  makeDataFolder(dataFolder);
  const path = join(dataFolder, "config.json");
  orUnusable(path, () => readConfig(path));
  // `Conf` flushes the file, but not its name. Here it does so for an earlier process that was killed in between.
  const flushName = () => flushFolderSync(dataFolder);
  flushName();
  let conf: Conf<Partial<Config>> | undefined;
  const write = (change: Partial<Config>) => {
    conf ??= openConf(dataFolder);
    conf.set(change);
    flushName();
  };
  const identities = () => readEntries(readConfig(path));
  return {
    settings: () => ({ ...readConfig(path).settings }),
    storeSetting: (variable, text) => {
      const { [variable]: _, ...others } = readConfig(path).settings ?? {};
      const settings = text === undefined ? others : { ...others, [variable]: text };
      orDiskError(() => write({ settings }));
    },
    identities,
    storeIdentities: (entries) => {
      readConfig(path);
      write({ ...formatEntries(entries) });
    },
    findIdentity: (relayUrl) => identities().find((entry) => entry.relayUrl === relayUrl),
  };
}

/** Creates the data folder, readable only by its user, if needed. @throws {SettingsError} when that fails */
export function makeDataFolder(dataFolder: string): void {
  try {
    makeDurableFolderSync(dataFolder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof FolderNotMadeError)) throw error;
    throw new SettingsError([`SOUNDFERRY_IMPORTER_DATA can't be used: ${sentenceOf(error)}`]);
  }
}

/** Opens `Conf`, which writes the file, and checks nothing. */
function openConf(dataFolder: string): Conf<Partial<Config>> {
  return new (loadConf())<Partial<Config>>({
    cwd: dataFolder,
    configFileMode: 0o600,
    deserialize: parseText,
    // Keys are relay addresses, which contain dots.
    accessPropertiesByDotNotation: false,
  });
}

/** @throws {SettingsError} when `act` fails, and says why */
function orUnusable(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([`${path} can't be used: ${sentenceOf(toDiskError(error))}`]);
  }
}

/**
 * Reads the file; a missing one is empty. `Conf` takes one that holds no object for an empty one, too, and would overwrite it.
 * @throws {SettingsError} when it is damaged
 */
function readConfig(path: string): Partial<Config> {
  const text = readIfAny(path);
  if (text === undefined) return {};
  const { config = {}, problem } = parseConfig(text);
  if (problem === undefined) return config;
  throw new SettingsError([
    `${path} is damaged: ${problem} Move it away and start again; you then need to pair your apps again.`,
  ]);
}

/** @throws {SyntaxError} */
function parseText(text: string): Partial<Config> {
  return JSON.parse(withoutMark(text));
}

function parseConfig(text: string): {
  readonly config?: Partial<Config>;
  readonly problem?: string | undefined;
} {
  try {
    const config = parseText(text);
    return { config, problem: findProblem(config) };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: "it isn't valid JSON." };
    throw error;
  }
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
