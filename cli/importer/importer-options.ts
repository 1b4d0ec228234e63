import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BuildImporterOptions } from "../../addon/build-importer.ts";
import { PreviewHost } from "../../addon/host/preview-host.ts";
import {
  findDataFolder,
  type ImporterSettings,
  readImporterSettings,
} from "../../addon/settings.ts";
import { openStoredSettings } from "../../addon/stored-settings.ts";
import type { SettingsSource } from "../../core/settings.ts";

/**
 * Reads the importer's settings: flags, the environment, what is stored in its data folder (rule K3).
 * @throws {SettingsError} with every problem at once
 */
export function readSettingsOfImporter(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const stored = openStoredSettings(findDataFolder(sources)).settings();
  return readImporterSettings({ ...sources, stored });
}

/** The same without making the data folder where there is none yet. */
export function readSettingsUntouched(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const isNew = !existsSync(join(findDataFolder(sources), "config.json"));
  return isNew ? readImporterSettings(sources) : readSettingsOfImporter(flags);
}

/** Where the preview host keeps its session. */
export function previewSessionIn({ dataFolder }: ImporterSettings): string {
  return join(dataFolder, "preview-session.json");
}

/** An importer that imports into the preview host. */
export function withPreviewHost(
  settings: ImporterSettings,
  more: Pick<BuildImporterOptions, "autoImport"> = {},
): BuildImporterOptions {
  return { settings, host: new PreviewHost(previewSessionIn(settings)), ...more };
}
