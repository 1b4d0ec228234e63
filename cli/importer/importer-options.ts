import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BuildImporterOptions } from "../../addon/build-importer.ts";
import type { OtherHosts } from "../../addon/hosts/host-registry.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import {
  findDataFolder,
  type ImporterSettings,
  readImporterSettings,
} from "../../addon/settings.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import type { SettingsSource } from "../../core/settings.ts";

/**
 * Reads the importer's settings from flags, the environment and its data folder (rule K3).
 * @throws {SettingsError} with every problem at once
 */
export function readSettingsOfImporter(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const stored = openStoredSettings(findDataFolder(sources)).settings();
  return readImporterSettings({ ...sources, stored });
}

/** The same, but doesn't create a missing data folder. */
export function readSettingsUntouched(flags: SettingsSource): ImporterSettings {
  const sources = { flags, environment: process.env };
  const isNew = !existsSync(join(findDataFolder(sources), "config.json"));
  return isNew ? readImporterSettings(sources) : readSettingsOfImporter(flags);
}

/** Where the preview host keeps its session. */
export function previewSessionIn({ dataFolder }: ImporterSettings): string {
  return join(dataFolder, "preview-session.json");
}

/** Other hosts by the names that `importer import` sends, loaded on first use. */
const OTHER_HOSTS: OtherHosts = new Map([
  ["dawproject", () => openDawproject({ withArrangement: false })],
  ["dawproject-arrangement", () => openDawproject({ withArrangement: true })],
]);

async function openDawproject(how: { readonly withArrangement: boolean }) {
  const { DawprojectHost } = await import("../../addon/hosts/dawproject/dawproject-host.ts");
  return new DawprojectHost(how);
}

/** An importer whose own host is the preview. */
export function withPreviewHost(
  settings: ImporterSettings,
  more: Pick<BuildImporterOptions, "autoImport"> = {},
): BuildImporterOptions {
  const host = new PreviewHost(previewSessionIn(settings));
  return { settings, host, otherHosts: OTHER_HOSTS, ...more };
}
