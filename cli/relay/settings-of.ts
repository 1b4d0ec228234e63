import type { Command } from "commander";
import { readRelaySettings, RELAY_SETTINGS, type RelaySettings } from "../../relay/settings.ts";
import { flagsGiven } from "../setting-flags.ts";

/** The settings of a relay as a command's flags and the environment have them. */
export function relaySettingsOf(command: Command): RelaySettings {
  return readRelaySettings({
    flags: flagsGiven(command, RELAY_SETTINGS),
    environment: process.env,
  });
}
