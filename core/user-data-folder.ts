import type { SettingsSource } from "./settings.ts";

/**
 * The folder for application data: `Application Support` on macOS, `APPDATA` on Windows,
 * `XDG_DATA_HOME` or `~/.local/share` elsewhere. An empty variable counts as unset.
 * @param join the platform's path join
 */
export function userDataFolder(
  machine: {
    readonly platform: string;
    readonly home: string;
    readonly environment: SettingsSource;
  },
  join: (...parts: string[]) => string,
): string {
  const { platform, home, environment } = machine;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment["APPDATA"] || join(home, "AppData", "Roaming");
  return environment["XDG_DATA_HOME"] || join(home, ".local", "share");
}
