import { join } from "node:path";
import { userDataFolder } from "../../core/settings.ts";
import type { LiveMachine } from "./find-library.ts";

/** `<author>.<name>` of the extension, which never change (rule H10), in lower case as Live writes it. */
export const EXTENSION_ID = "soundferry.soundferry";

/**
 * The folders that Live may give to the extension, which can't read others: the script writes where it
 * listens into those that exist. Windows has two places for such data, and it isn't known which one Live uses.
 */
export function extensionFolders(machine: LiveMachine): readonly string[] {
  const { platform, home, environment } = machine;
  if (platform !== "darwin" && platform !== "win32") return [];
  const roots = [userDataFolder(machine, join)];
  if (platform === "win32") {
    roots.push(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"));
  }
  return roots.map((root) => join(root, "Ableton", "Extensions Data", EXTENSION_ID));
}
