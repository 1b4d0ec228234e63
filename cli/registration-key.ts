import { readSettings, type SettingsSource } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";

/** Reads the key of a relay that registers by key, from flags or the environment, as itself or in its file. */
export function readRegistrationKey(given: SettingsSource): string | undefined {
  const { registrationKey, registrationKeyFile } = RELAY_SETTINGS;
  const key = { registrationKey, registrationKeyFile };
  return readSettings(key, [given, process.env]).registrationKey;
}
