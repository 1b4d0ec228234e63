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

/**
 * Reads the values of a host's settings.
 * @throws {SettingsError} with every problem at once
 */
export function readHostSettings(
  declared: readonly HostSetting[],
  textOf: (variable: string) => string | undefined,
): HostSettingValues {
  const texts = Object.fromEntries(declared.map(({ variable }) => [variable, textOf(variable)]));
  return readSettings(hostSettingsTable(declared), [texts]);
}

/** Live's setting that corrects the tempo; off by default, because it is untested in a real Live (rule H6). */
export const CORRECT_TEMPO: HostSetting = {
  id: "correct-tempo",
  variable: "SOUNDFERRY_CORRECT_TEMPO",
  kind: "switch",
  default: false,
  label: "Correct the tempo",
  help: "Makes a clip again if Live detects the wrong tempo (untested in a real Live).",
};

/**
 * Live's setting that writes the scene's tempo; off by default, because launching the scene then changes the whole
 * Set's tempo (rule H15).
 */
export const WRITE_SCENE_TEMPO: HostSetting = {
  id: "scene-tempo",
  variable: "SOUNDFERRY_SCENE_TEMPO",
  kind: "switch",
  default: false,
  label: "Write the package's tempo into the scene",
  help: "Writes the package's tempo into the scene; launching it sets the Set's tempo.",
};

/** Live's settings. They are declared outside live/, because every importer offers them. */
export const LIVE_SETTINGS: readonly HostSetting[] = [CORRECT_TEMPO, WRITE_SCENE_TEMPO];
