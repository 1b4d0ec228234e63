import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError, type SettingsSource } from "../../core/settings.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { FolderNotMadeError } from "../../program/make-folder.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { orDiskError, toDiskError } from "../disk/disk-error.ts";
import { isMissing, makeDurableFolderSync, replaceFile } from "../disk/atomic-file.ts";
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

/** The content of the file. Other members are kept. */
interface Config extends Partial<IdentityFile> {
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Opens the settings in a data folder and creates the folder if needed.
 * @throws {SettingsError} when the folder can't be used, or the file is damaged; it stays as it is
 */
export function openStoredSettings(dataFolder: string): StoredSettings {
  makeDataFolder(dataFolder);
  const path = join(dataFolder, "config.json");
  const read = () => readConfig(path);
  const change = (changes: Config) => replaceFile(path, format({ ...read(), ...changes }));
  try {
    read();
    // For an earlier process that was killed between the rename and the flush of the name.
    flushFolderSync(dataFolder);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([`${path} can't be used: ${sentenceOf(toDiskError(error))}`]);
  }
  const identities = () => readEntries(read());
  return {
    settings: () => ({ ...read().settings }),
    storeSetting: (variable, text) => {
      const { [variable]: _, ...others } = read().settings ?? {};
      const settings = text === undefined ? others : { ...others, [variable]: text };
      orDiskError(() => change({ settings }));
    },
    identities,
    storeIdentities: (entries) => change(formatEntries(entries)),
    findIdentity: (relayUrl) => identities().find((entry) => entry.relayUrl === relayUrl),
  };
}

function format(config: Config): string {
  return JSON.stringify(config, undefined, "\t");
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

/** Reads the file; a missing one is empty. @throws {SettingsError} when it is damaged */
function readConfig(path: string): Config {
  const text = readIfAny(path);
  if (text === undefined) return {};
  const config = parseJson(text);
  const problem = config === undefined ? "it isn't valid JSON." : findProblem(config);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `findProblem` has judged it
  if (problem === undefined) return config as Config;
  throw new SettingsError([
    `${path} is damaged: ${problem} Move it away and start again; you then need to pair your apps again.`,
  ]);
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
