import { onOrOff, readSettings, type Setting } from "../../core/settings.ts";
import type { HostSetting, HostSettingValues } from "./host.ts";

/** Builds the settings table of a host (rule K3), by setting id. */
export function hostSettingsTable(
  declared: readonly HostSetting[],
): Readonly<Record<string, Setting<boolean>>> {
  return Object.fromEntries(
    declared.map(({ id, variable, default: fallback, help }) => [
      id,
      onOrOff(variable, fallback, help.replace(/\.?$/, ": on or off.")),
    ]),
  );
}

/** @throws {SettingsError} with every problem at once */
export function readHostSettings(
  declared: readonly HostSetting[],
  textOf: (variable: string) => string | undefined,
): HostSettingValues {
  const texts = Object.fromEntries(declared.map(({ variable }) => [variable, textOf(variable)]));
  return readSettings(hostSettingsTable(declared), [texts]);
}
