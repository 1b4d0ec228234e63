import type { Command } from "commander";
import type { SettingsSource } from "../../../core/settings.ts";
import { readRelaySettings, RELAY_SETTINGS, type RelaySettings } from "../../../relay/settings.ts";
import { flagsGiven } from "../../setting-flags.ts";

/** The settings of a relay as a command's flags and the environment have them. @param more flags of its own */
export function relaySettingsOf(command: Command, more: SettingsSource = {}): RelaySettings {
  return readRelaySettings({
    flags: { ...flagsGiven(command, RELAY_SETTINGS), ...more },
    environment: process.env,
  });
}
