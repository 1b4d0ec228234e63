import { join } from "node:path";
import {
  type ControlSurfaceLook,
  readPortFiles,
} from "../hosts/live/remote-script/find-control-surface.ts";
import { findLibrary, type LibrarySearch, type LiveMachine } from "./find-library.ts";
import {
  type Installation,
  installScript,
  type Removal,
  uninstallScript,
} from "./install-script.ts";
import { type InstalledScript, lookAtScript } from "./look-at-script.ts";
import { withScriptErrors, ScriptError } from "./script-error.ts";
import { readScriptFiles, type ScriptFiles } from "./script-files.ts";
import { userDataFolder } from "../../program/user-data-folder.ts";
import { isRunning } from "../disk/lock.ts";

export interface LiveScriptDeps {
  readonly machine: LiveMachine;
  /** The absolute path of the User Library from the settings. */
  readonly givenLibrary: string | undefined;
  /** The absolute path of the importer's data folder. */
  readonly dataFolder: string;
  readonly lookAtControlSurface: (folders: readonly string[]) => Promise<ControlSurfaceLook>;
  readonly readFiles?: () => Promise<ScriptFiles>;
}

/** The status of the script, from its files to its answer. */
export interface LiveStatus {
  readonly library: LibrarySearch;
  /** The installed script; null without a User Library. */
  readonly script: InstalledScript | null;
  readonly surface: ControlSurfaceLook;
  /** The version of the script that a running Live has loaded; null if none has. */
  readonly loaded: string | null;
}

/** The control surface's script on this computer: `soundferry live`, the doctor and the panel share it. */
export class LiveScript {
  readonly #deps: LiveScriptDeps;
  readonly #readFiles: () => Promise<ScriptFiles>;
  #library: LibrarySearch | undefined;

  constructor(deps: LiveScriptDeps) {
    this.#deps = deps;
    this.#readFiles = deps.readFiles ?? readScriptFiles;
  }

  /** The folders in which the script writes its port file. */
  get folders(): readonly string[] {
    const { dataFolder, machine } = this.#deps;
    return [dataFolder, ...extensionFolders(machine)];
  }

  /** Finds out the script's status. @throws {ScriptError} with a sentence */
  async status(): Promise<LiveStatus> {
    const { dataFolder, lookAtControlSurface } = this.#deps;
    const library = await this.#findLibrary();
    const [script, surface, running] = await Promise.all([
      library.kind === "missing" ? null : this.#lookAt(library.path),
      lookAtControlSurface([dataFolder]),
      readRunningVersion([dataFolder]),
    ]);
    const loaded = surface.kind === "answers" ? surface.version : running;
    return { library, script, surface, loaded };
  }

  /** Copies the script into the User Library. @throws {ScriptError} with a sentence */
  async install(): Promise<Installation> {
    const library = await this.#needLibrary();
    return installScript({ library, files: await this.#readFiles(), folders: this.folders });
  }

  /** Removes the script from the User Library. @throws {ScriptError} with a sentence */
  async uninstall(): Promise<Removal> {
    return uninstallScript(await this.#needLibrary(), await this.#readFiles());
  }

  async #lookAt(library: string): Promise<InstalledScript> {
    const files = await this.#readFiles();
    return withScriptErrors(() => lookAtScript(library, { files, folders: this.folders }));
  }

  async #needLibrary(): Promise<string> {
    const library = await this.#findLibrary();
    if (library.kind === "found") return library.path;
    throw new ScriptError(noLibrarySentence(library));
  }

  /** Finds the User Library and remembers its place: on Windows, the search asks another program. */
  async #findLibrary(): Promise<LibrarySearch> {
    if (this.#library?.kind === "found") return this.#library;
    const { machine, givenLibrary } = this.#deps;
    return (this.#library = await findLibrary(machine, givenLibrary));
  }
}

/** Returns a sentence on what to do about a library that wasn't found. */
export function noLibrarySentence({ tried, hasLive }: LibrarySearch & { kind: "missing" }): string {
  const where = tried.length === 0 ? "" : ` It isn't at ${tried.join(" or ")}.`;
  const start = hasLive ? "" : "Start Live once, or set";
  const how = `${start === "" ? "Set" : start} SOUNDFERRY_LIVE_LIBRARY to the folder that Live shows under Settings → Library.`;
  return `Live's User Library wasn't found.${where} ${how}`;
}

/** The extension's `<author>.<name>`, which never change (rule H10), in lower case as Live writes them. */
export const EXTENSION_ID = "soundferry.soundferry";

/**
 * Returns the folders that Live may give to the extension, which can't read others: the script writes its port file
 * into those that exist. Windows has two places for such data, and it isn't known which one Live uses.
 */
export function extensionFolders(machine: LiveMachine): readonly string[] {
  const { platform, home, environment } = machine;
  if (platform !== "darwin" && platform !== "win32") return [];
  const roots = [userDataFolder(machine)];
  if (platform === "win32") {
    roots.push(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"));
  }
  return roots.map((root) => join(root, "Ableton", "Extensions Data", EXTENSION_ID));
}

/**
 * Returns the version of the script that a running Live has loaded, by the files that the script wrote into these
 * folders; null if no such process runs. Unlike a login, this works with any version of the script.
 */
async function readRunningVersion(folders: readonly string[]): Promise<string | null> {
  for (const { version, process: pid } of (await Promise.all(folders.map(readPortFiles))).flat()) {
    const isProcess = typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
    if (typeof version === "string" && isProcess && isRunning(pid)) return version;
  }
  return null;
}
