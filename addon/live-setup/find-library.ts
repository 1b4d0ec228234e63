import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SettingsSource } from "../../core/settings.ts";
import { isFolder } from "./is-folder.ts";
import { parseLibraryConfig } from "./library-config.ts";
import { askWindowsForDocuments } from "./windows-documents.ts";

/** What the place of Live's folders depends on. */
export interface LiveMachine {
  readonly platform: string;
  readonly home: string;
  readonly environment: SettingsSource;
  /** For tests; asks Windows by default. */
  readonly askForDocuments?: (environment: SettingsSource) => Promise<string | undefined>;
}

/** Live's User Library, or where it was looked for. */
export type LibrarySearch =
  | { readonly kind: "found"; readonly path: string }
  | {
      readonly kind: "missing";
      /** Live has been started on this computer, or the library's place is set. */
      readonly hasLive: boolean;
      readonly tried: readonly string[];
    };

/**
 * Finds Live's User Library: the given folder and no other, else where the newest Live says it is, else in
 * the usual places. On systems without Live only a given folder is found.
 * @param given the setting's folder, absolute
 */
export async function findLibrary(
  machine: LiveMachine,
  given: string | undefined,
): Promise<LibrarySearch> {
  if (given !== undefined) return (await firstFolder([given])) ?? missing([given], true);
  const preferences = preferencesOf(machine);
  if (preferences === undefined) return missing([], false);
  const tried = [
    ...(await configuredLibraries(preferences)),
    ...(await usualDocuments(machine)).map((folder) => join(folder, "Ableton", "User Library")),
  ];
  return (await firstFolder(tried)) ?? missing(tried, await isFolder(preferences.root));
}

interface Preferences {
  readonly root: string;
  /** Of a version's folder, such as `Live 12.1.5`. */
  readonly configIn: (version: string) => string;
}

function preferencesOf({ platform, home, environment }: LiveMachine): Preferences | undefined {
  if (platform === "darwin") {
    const root = join(home, "Library", "Preferences", "Ableton");
    return { root, configIn: (version) => join(root, version, "Library.cfg") };
  }
  if (platform !== "win32") return undefined;
  const root = join(environment["APPDATA"] || join(home, "AppData", "Roaming"), "Ableton");
  return { root, configIn: (version) => join(root, version, "Preferences", "Library.cfg") };
}

/** What each Live's own file says, the newest version first. */
async function configuredLibraries({ root, configIn }: Preferences): Promise<readonly string[]> {
  const versions = (await readdir(root).catch(() => [])).filter((name) => /^Live \d/.test(name));
  versions.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  const texts = versions.map((version) => readFile(configIn(version), "utf8").catch(() => ""));
  return (await Promise.all(texts)).flatMap((text) => {
    const found = parseLibraryConfig(text);
    if (found === undefined) return [];
    const { folder, name } = found;
    return basename(folder) === name ? [join(folder, name), folder] : [join(folder, name)];
  });
}

/** The folders that may hold `Ableton/User Library`, the likeliest first. */
async function usualDocuments(machine: LiveMachine): Promise<readonly string[]> {
  const { platform, home, environment, askForDocuments = askWindowsForDocuments } = machine;
  if (platform === "darwin") return [join(home, "Music")];
  const documents = await askForDocuments(environment);
  const clouds = ["OneDrive", "OneDriveConsumer", "OneDriveCommercial"].flatMap((variable) => {
    const folder = environment[variable];
    return folder ? [join(folder, "Documents")] : [];
  });
  const folders = [...(documents ? [documents] : []), join(home, "Documents"), ...clouds];
  return [...new Set(folders)];
}

async function firstFolder(paths: readonly string[]): Promise<LibrarySearch | undefined> {
  for (const path of paths) if (await isFolder(path)) return { kind: "found", path };
  return undefined;
}

function missing(tried: readonly string[], hasLive: boolean): LibrarySearch {
  return { kind: "missing", tried: [...new Set(tried)], hasLive };
}
