import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BuildImporterOptions } from "../../../addon/build-importer.ts";
import { folderRevealerOf } from "../../../addon/packages/folder-revealer.ts";
import { buildLiveSetup } from "../../../addon/live-setup/live-setup-of.ts";
import {
  findDataFolder,
  type ImporterSettings,
  readImporterSettings,
} from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { ownHosts, type OwnHostName } from "../../hosts.ts";
import { openLiveScript } from "../live/live-script.ts";

/**
 * Reads the importer's settings from flags, the environment and its data folder (rule K3).
 * @throws {SettingsError} with every problem at once
 */
export function readSettingsOfImporter(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const stored = openStoredSettings(findDataFolder(sources)).settings();
  return readImporterSettings({ ...sources, stored });
}

/** Reads the same settings, but doesn't create a missing data folder. */
export function readSettingsUntouched(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const isNew = !existsSync(join(findDataFolder(sources), "config.json"));
  return isNew ? readImporterSettings(sources) : readSettingsOfImporter(flags);
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
  return { settings, liveSetup, folderRevealer, ...(await ownHosts(settings, names)) };
}
