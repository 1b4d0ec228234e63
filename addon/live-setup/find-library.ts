import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SettingsSource } from "../../core/settings.ts";

/** The facts about a computer on which the place of Live's folders depends. */
export interface LiveMachine {
  readonly platform: string;
  readonly home: string;
  readonly environment: SettingsSource;
  /** Asks for the Documents folder, in tests; by default, Windows is asked. */
  readonly askForDocuments?: (environment: SettingsSource) => Promise<string | undefined>;
}

/** Live's User Library, or the places where it isn't. */
export type LibrarySearch =
  | { readonly kind: "found"; readonly path: string }
  | {
      readonly kind: "missing";
      /** True if Live has been started on this computer, or the library's place is set. */
      readonly hasLive: boolean;
      readonly tried: readonly string[];
    };

/**
 * Finds Live's User Library: the given folder and no other, else the folder in the configuration that a Live wrote
 * last, else one of the usual places. On systems without Live only a given folder is found.
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

/**
 * Finds the file in which a running or recent Live logs, the most recently written one; undefined where there is none.
 */
export async function findLiveLog(machine: LiveMachine): Promise<string | undefined> {
  const preferences = preferencesOf(machine);
  if (preferences === undefined) return undefined;
  return (await filesOfLives(preferences.root, preferences.logIn))[0];
}

/** Lists a file of each version of Live that has it, the most recently written first. */
async function filesOfLives(
  root: string,
  pathOf: (version: string) => string,
): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => []);
  const versions = names.filter((name) => /^Live \d/.test(name));
  // Of files that were written at the same time, the newest version's counts.
  versions.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  const found = versions.map(pathOf).map(async (path) => {
    const { mtimeMs: writtenMs } = (await stat(path).catch(() => undefined)) ?? {};
    return { path, writtenMs };
  });
  return (await Promise.all(found))
    .flatMap(({ path, writtenMs }) => (writtenMs === undefined ? [] : [{ path, writtenMs }]))
    .toSorted((one, other) => other.writtenMs - one.writtenMs)
    .map(({ path }) => path);
}

interface Preferences {
  readonly root: string;
  /** Returns the path of a version's configuration, for a folder such as `Live 12.1.5`. */
  readonly configIn: (version: string) => string;
  /** Returns the path of a version's log. */
  readonly logIn: (version: string) => string;
}

function preferencesOf({ platform, home, environment }: LiveMachine): Preferences | undefined {
  if (platform === "darwin") {
    const root = join(home, "Library", "Preferences", "Ableton");
    return preferencesIn(root, (version) => join(root, version));
  }
  if (platform !== "win32") return undefined;
  const root = join(environment["APPDATA"] || join(home, "AppData", "Roaming"), "Ableton");
  return preferencesIn(root, (version) => join(root, version, "Preferences"));
}

function preferencesIn(root: string, folderOf: (version: string) => string): Preferences {
  return {
    root,
    configIn: (version) => join(folderOf(version), "Library.cfg"),
    logIn: (version) => join(folderOf(version), "Log.txt"),
  };
}

/**
 * Reads the library's place from the configuration of each Live, the most recently written first: a person may have
 * gone back to an earlier version.
 */
async function configuredLibraries({ root, configIn }: Preferences): Promise<readonly string[]> {
  const files = await filesOfLives(root, configIn);
  const texts = files.map((path) => readFile(path, "utf8").catch(() => ""));
  return (await Promise.all(texts)).flatMap((text) => {
    const found = parseLibraryConfig(text);
    if (found === undefined) return [];
    const { folder, name } = found;
    return basename(folder) === name ? [join(folder, name), folder] : [join(folder, name)];
  });
}

/** Returns the folders that may hold `Ableton/User Library`, the likeliest first. */
async function usualDocuments(machine: LiveMachine): Promise<readonly string[]> {
  const { platform, home, environment, askForDocuments = askWindowsForDocuments } = machine;
  if (platform === "darwin") return [join(home, "Music")];
  const documents = await askForDocuments(environment);
  const clouds = cloudFolders(environment).map((folder) => join(folder, "Documents"));
  const folders = [...(documents ? [documents] : []), join(home, "Documents"), ...clouds];
  return [...new Set(folders)];
}

/** Returns the folders that Windows names as synchronized with a cloud. */
export function cloudFolders(environment: SettingsSource): readonly string[] {
  const variables = ["OneDrive", "OneDriveConsumer", "OneDriveCommercial"];
  return variables.flatMap((variable) => environment[variable] || []);
}

async function firstFolder(paths: readonly string[]): Promise<LibrarySearch | undefined> {
  for (const path of paths) if (await isFolder(path)) return { kind: "found", path };
  return undefined;
}

function missing(tried: readonly string[], hasLive: boolean): LibrarySearch {
  return { kind: "missing", tried: [...new Set(tried)], hasLive };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** The place of the User Library by Live's own file: a folder, and the library's name in it. */
interface ConfiguredLibrary {
  readonly folder: string;
  readonly name: string;
}

/**
 * Reads the User Library's place from Live's `Library.cfg`, an XML file; undefined where it has none.
 * The format isn't documented: after a wrong guess, the usual places are tried.
 */
export function parseLibraryConfig(text: string): ConfiguredLibrary | undefined {
  const [section = text] = /<UserLibrary\b[\s\S]*?<\/UserLibrary>/.exec(text) ?? [];
  const folder = valueOf("ProjectPath", section);
  if (folder === undefined || folder === "") return undefined;
  return { folder, name: valueOf("ProjectName", section) || "User Library" };
}

function valueOf(element: string, text: string): string | undefined {
  const value = new RegExp(`<${element}\\s+Value="([^"]*)"`).exec(text)?.[1];
  return value?.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, decodeEntity);
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name = ""): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code <= 0x10_ff_ff;
  return isCharacter ? String.fromCodePoint(code) : (ENTITIES[name] ?? whole);
}

const run = promisify(execFile);
const KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;

/** Asks Windows for the Documents folder, which OneDrive or the user may have moved; undefined without an answer. */
export async function askWindowsForDocuments(
  environment: SettingsSource,
): Promise<string | undefined> {
  try {
    const { stdout } = await run("reg", ["query", KEY, "/v", "Personal"]);
    return parseDocuments(stdout, environment);
  } catch {
    // Without the right to ask Windows, the usual places are tried.
    return undefined;
  }
}

/** Parses the folder from the output of `reg query`, in any language, and expands its variables. */
export function parseDocuments(printed: string, environment: SettingsSource): string | undefined {
  const value = /^\s*Personal\s+REG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(printed)?.[1];
  const names = new Map(
    Object.entries(environment).map(([name, text]) => [name.toLowerCase(), text]),
  );
  return value?.replaceAll(/%([^%]+)%/g, (whole, name: string) => {
    return names.get(name.toLowerCase()) ?? whole;
  });
}

/** Checks whether a path leads to a folder, or to a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
