import { homedir } from "node:os";
import { join } from "node:path";

/** The properties of a computer on which its folders depend. */
interface Computer {
  readonly platform: string;
  /** The user's home folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the folder for application data: `Application Support` on macOS, `APPDATA` on Windows,
 * `XDG_DATA_HOME` or `~/.local/share` elsewhere. An empty variable counts as unset.
 */
export function userDataFolder({ platform, home, environment }: Computer = thisComputer()): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment["APPDATA"] || join(home, "AppData", "Roaming");
  return environment["XDG_DATA_HOME"] || join(home, ".local", "share");
}

function thisComputer(): Computer {
  return { platform: process.platform, home: homedir(), environment: process.env };
}
