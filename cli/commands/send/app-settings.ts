import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  readSettings,
  type Setting,
  type SettingsOf,
  type SettingsSource,
  userDataFolder,
} from "../../../core/settings.ts";

/** The settings of `soundferry send`. */
export const APP_SETTINGS = {
  dataFolder: {
    variable: "SOUNDFERRY_APP_DATA",
    meaning: "Folder for send's id and tokens.",
    fallback: defaultDataFolder(),
    fallbackText: "soundferry/app in the user's data folder",
    read: (text) => resolve(text),
  },
} as const satisfies Record<string, Setting<string>>;

export type AppSettings = SettingsOf<typeof APP_SETTINGS>;

/** Flags override the environment. */
export function readAppSettings(flags: SettingsSource, environment: SettingsSource): AppSettings {
  return readSettings(APP_SETTINGS, [flags, environment]);
}

function defaultDataFolder(): string {
  const { platform, env: environment } = process;
  return join(
    userDataFolder({ platform, home: homedir(), environment }, join),
    "soundferry",
    "app",
  );
}
