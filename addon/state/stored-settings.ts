import { readFileSync } from "node:fs";
import { join } from "node:path";
import Conf from "conf";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { parseJsonOrThrow, withoutMark } from "../../core/text/parse-json.ts";
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
  const conf = openConf(dataFolder);
  // `Conf` flushes the file, but not its name. Here it does so for an earlier process that was killed in between.
  const flushName = () => flushFolderSync(dataFolder);
  flushName();
  const identities = () => {
    assertUsable(conf.path);
    return readEntries(conf.store);
  };
  return {
    settings: () => ({ ...conf.get("settings") }),
    storeSetting: (variable, text) => {
      assertUsable(conf.path);
      const { [variable]: _, ...others } = conf.get("settings") ?? {};
      orDiskError(() => {
        conf.set("settings", text === undefined ? others : { ...others, [variable]: text });
        flushName();
      });
    },
    identities,
    storeIdentities: (entries) => {
      assertUsable(conf.path);
      conf.set({ ...formatEntries(entries) });
      flushName();
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

function openConf(dataFolder: string): Conf<Partial<Config>> {
  makeDataFolder(dataFolder);
  const path = join(dataFolder, "config.json");
  try {
    assertUsable(path);
    return new Conf<Partial<Config>>({
      cwd: dataFolder,
      configFileMode: 0o600,
      deserialize: (text): Partial<Config> => JSON.parse(withoutMark(text)),
      // Keys are relay addresses, which contain dots.
      accessPropertiesByDotNotation: false,
    });
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([`${path} can't be used: ${sentenceOf(toDiskError(error))}`]);
  }
}

/**
 * Checks the file: `Conf` takes one that holds no object for an empty one, and would overwrite it.
 * @throws {SettingsError} when it is damaged
 */
function assertUsable(path: string): void {
  const text = readIfAny(path);
  const problem = text === undefined ? undefined : problemOf(text);
  if (problem === undefined) return;
  throw new SettingsError([
    `${path} is damaged: ${problem} Move it away and start again; you then need to pair your apps again.`,
  ]);
}

function problemOf(text: string): string | undefined {
  try {
    return findProblem(parseJsonOrThrow(text));
  } catch (error) {
    if (error instanceof SyntaxError) return "it isn't valid JSON.";
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
