import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { BuildImporterOptions } from "../../../addon/build-importer.ts";
import { folderRevealerOf } from "../../../addon/packages/folder-revealer.ts";
import { examineLibrary, usualSoundsFolder } from "../../../addon/disk/sounds-place.ts";
import { cloudFolders, findLibrary } from "../../../addon/live-setup/find-library.ts";
import { buildLiveSetup } from "../../../addon/live-setup/live-setup-of.ts";
import {
  findDataFolder,
  type ImporterSettings,
  readImporterSettings,
  withLibrary,
} from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import type { PanelSoundsFolder } from "../../../core/protocol/panel-api.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { startHash } from "../../../program/hashing/start-hash.ts";
import { ownHosts, type OwnHostName } from "../../hosts.ts";
import { openLiveScript } from "../live/live-script.ts";

/**
 * Reads the importer's settings from flags, the environment and its data folder (rule K3), and chooses the sounds folder
 * where nobody did (rule F9).
 * @throws {SettingsError} with every problem at once
 */
export async function readSettingsOfImporter(flags: SettingsSource): Promise<ImporterSettings> {
  const sources = { flags, environment: process.env };
  const stored = openStoredSettings(findDataFolder(sources)).settings();
  return inLibrary(readImporterSettings({ ...sources, stored }));
}

/** Reads the same settings, but doesn't create a missing data folder. */
export async function readSettingsUntouched(flags: SettingsSource): Promise<ImporterSettings> {
  const sources = { flags, environment: process.env };
  const isNew = !existsSync(join(findDataFolder(sources), "config.json"));
  return isNew ? inLibrary(readImporterSettings(sources)) : readSettingsOfImporter(flags);
}

async function inLibrary(settings: ImporterSettings): Promise<ImporterSettings> {
  const { platform, env: environment } = process;
  const found = await findLibrary({ platform, home: homedir(), environment }, settings.liveLibrary);
  if (found.kind === "missing") return settings;
  const { isSoundsFolderNew, soundsFolder } = settings;
  // Nobody asks why another folder than these isn't in the library.
  const isAsked = isSoundsFolderNew || soundsFolder === usualSoundsFolder(homedir());
  const library = isAsked
    ? await examineLibrary(found.path, cloudFolders(environment))
    : { path: found.path, trouble: null };
  return withLibrary(settings, library);
}

/** Says in a sentence why the sounds folder is where it is; undefined where there is no other place. */
export function whyThere({ isInLibrary, because }: PanelSoundsFolder): string | undefined {
  if (isInLibrary) return "It is in Live's User Library.";
  if (because === "cloud") return "Live's User Library is synchronized with a cloud.";
  if (because === "not-writable") return "Soundferry can't write to Live's User Library.";
  return undefined;
}

/**
 * Returns the options of an importer with the command line's hosts, and with a panel that can set up Live.
 * @param names its own hosts, by preference
 */
export async function withOwnHosts(
  settings: ImporterSettings,
  names: readonly OwnHostName[],
): Promise<BuildImporterOptions> {
  const liveSetup = buildLiveSetup(openLiveScript(settings));
  const folderRevealer = folderRevealerOf(process.platform, process.env);
  return { settings, liveSetup, folderRevealer, startHash, ...(await ownHosts(settings, names)) };
}
