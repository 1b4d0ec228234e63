import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  readSettings,
  type Setting,
  type SettingsOf,
  type SettingsSource,
} from "../../../core/settings.ts";
import { userDataFolder } from "../../../program/user-data-folder.ts";
import { makeFolder } from "../../../program/make-folder.ts";

/** The settings of `soundferry send`. */
export const APP_SETTINGS = {
  dataFolder: {
    variable: "SOUNDFERRY_APP_DATA",
    meaning: "Folder for send's id and tokens.",
    fallback: join(userDataFolder(), "soundferry", "app"),
    fallbackText: "soundferry/app in the user's data folder",
    read: (text) => resolve(text),
  },
} as const satisfies Record<string, Setting<string>>;

export type AppSettings = SettingsOf<typeof APP_SETTINGS>;

/** Reads the settings of `soundferry send`. Flags override the environment. */
export function readAppSettings(flags: SettingsSource, environment: SettingsSource): AppSettings {
  return readSettings(APP_SETTINGS, [flags, environment]);
}

/** Reads this installation's app id for pairing, which is created on first use. */
export async function readAppId(dataFolder: string): Promise<string> {
  const file = join(dataFolder, "app-id");
  const kept = await readFile(file, "utf8").catch(() => "");
  if (kept.trim() !== "") return kept.trim();
  const appId = randomUUID();
  await makeFolder(dataFolder, { mode: 0o700 });
  await writeFile(file, `${appId}\n`, { mode: 0o600 });
  return appId;
}
