import { onOrOff, readSettings, type Setting, type SettingsSource } from "../../core/settings.ts";
import type { HostSetting, HostSettingValues } from "./host.ts";

/** The table that reads a host's settings from texts (rule K3), by their ids. */
export function hostSettingsTable(
  declared: readonly HostSetting[],
): Readonly<Record<string, Setting<HostSetting["default"]>>> {
  return Object.fromEntries(
    declared.map(({ id, variable, default: fallback, help }) => [
      id,
      onOrOff(variable, fallback, help.replace(/\.?$/, ": on or off.")),
    ]),
  );
}

/**
 * @param sources keyed by the variables' names, stronger ones first
 * @throws {SettingsError} with every problem at once
 */
export function readHostSettings(
  declared: readonly HostSetting[],
  ...sources: readonly SettingsSource[]
): HostSettingValues {
  return readSettings(hostSettingsTable(declared), sources);
}
