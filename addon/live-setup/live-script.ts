import type { ControlSurfaceLook } from "../hosts/live/remote-script/find-control-surface.ts";
import { extensionFolders } from "./extension-folders.ts";
import { findLibrary, type LibrarySearch, type LiveMachine } from "./find-library.ts";
import { type Installation, installScript } from "./install-script.ts";
import { type InstalledScript, lookAtScript } from "./look-at-script.ts";
import { inSentences, ScriptError } from "./script-error.ts";
import { readRunningVersion } from "./running-version.ts";
import { readScriptFiles, type ScriptFiles } from "./script-files.ts";
import { type Removal, uninstallScript } from "./uninstall-script.ts";

export interface LiveScriptDeps {
  readonly machine: LiveMachine;
  /** The setting's User Library, absolute. */
  readonly givenLibrary: string | undefined;
  /** The importer's data folder, absolute. */
  readonly dataFolder: string;
  readonly lookAtControlSurface: (folders: readonly string[]) => Promise<ControlSurfaceLook>;
  readonly readFiles?: () => Promise<ScriptFiles>;
}

/** What can be known of the script, from its files to its answer. */
export interface LiveStatus {
  readonly library: LibrarySearch;
  /** null without a User Library. */
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

  /** Where the script writes where it listens. */
  get folders(): readonly string[] {
    const { dataFolder, machine } = this.#deps;
    return [dataFolder, ...extensionFolders(machine)];
  }

  /** @throws {ScriptError} with a sentence */
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

  /** @throws {ScriptError} with a sentence */
  async install(): Promise<Installation> {
    const library = await this.#needLibrary();
    return installScript({ library, files: await this.#readFiles(), folders: this.folders });
  }

  /** @throws {ScriptError} with a sentence */
  async uninstall(): Promise<Removal> {
    return uninstallScript(await this.#needLibrary(), await this.#readFiles());
  }

  async #lookAt(library: string): Promise<InstalledScript> {
    const files = await this.#readFiles();
    return inSentences(() => lookAtScript(library, { files, folders: this.folders }));
  }

  async #needLibrary(): Promise<string> {
    const library = await this.#findLibrary();
    if (library.kind === "found") return library.path;
    throw new ScriptError(noLibrarySentence(library));
  }

  /** Remembers where it was: on Windows the search asks another program. */
  async #findLibrary(): Promise<LibrarySearch> {
    if (this.#library?.kind === "found") return this.#library;
    const { machine, givenLibrary } = this.#deps;
    return (this.#library = await findLibrary(machine, givenLibrary));
  }
}

/** Says what to do about a library that wasn't found. */
export function noLibrarySentence({ tried, hasLive }: LibrarySearch & { kind: "missing" }): string {
  const where = tried.length === 0 ? "" : ` It isn't at ${tried.join(" or ")}.`;
  const start = hasLive ? "" : "Start Live once, or set";
  const how = `${start === "" ? "Set" : start} SOUNDFERRY_LIVE_LIBRARY to the folder that Live shows under Settings → Library.`;
  return `Live's User Library wasn't found.${where} ${how}`;
}
