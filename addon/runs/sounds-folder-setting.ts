import { homedir } from "node:os";
import { basename, join } from "node:path";
import { makeChosenFolder } from "../disk/check-sounds-folder.ts";
import { shortenHome } from "../disk/home-path.ts";
import { KNOWN_FOLDERS_FILE } from "../disk/known-folders.ts";
import { listFolders } from "../disk/package-folders.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import { describeSoundsFolder, usualSoundsFolder } from "../disk/sounds-place.ts";
import type { FolderRevealer } from "../packages/folder-revealer.ts";
import type { InboxSync } from "../packages/inbox.ts";
import { type ImporterSettings, SOUNDS_VARIABLE } from "../settings.ts";
import type { StateStore } from "../state/state-store.ts";
import { RunRefusal } from "../../core/importer/import-errors.ts";
import type { ImportRuns } from "./import-runs.ts";
import type { KeptFilesSync } from "./kept-files-sync.ts";

export interface SoundsFolderSettingDeps {
  readonly sounds: SoundsFolder;
  readonly settings: Pick<
    ImporterSettings,
    "dataFolder" | "inboxFolder" | "isInboxGiven" | "soundsFixedBecause" | "library"
  >;
  readonly runs: Pick<ImportRuns, "runExclusive">;
  readonly inbox: Pick<InboxSync, "restart">;
  readonly keptFiles: Pick<KeptFilesSync, "refresh">;
  readonly store: StateStore;
  /** Stores a setting's text for the next start, by variable name. */
  readonly keepSetting: (variable: string, text: string) => void;
  /** The system's program for folders; undefined where nobody would see it. */
  readonly revealer: FolderRevealer | undefined;
}

/** The sounds folder as a person sees and changes it (rule F9). */
export class SoundsFolderSetting {
  readonly #deps: SoundsFolderSettingDeps;

  constructor(deps: SoundsFolderSettingDeps) {
    this.#deps = deps;
  }

  /**
   * Makes another folder the sounds folder, at once and for later starts. What is in the earlier one stays there.
   * @param text an absolute path, or one that begins with `~`
   * @returns the earlier folder, with `~` for the home folder, if packages stay in it; else null
   * @throws {Error} with a sentence when it can't be used, or can't be changed now
   */
  async change(text: string): Promise<{ readonly stays: string | null }> {
    this.#assertCanChange();
    const { runs, sounds, settings, store, keepSetting, inbox, keptFiles } = this.#deps;
    const home = homedir();
    const { dataFolder, inboxFolder, isInboxGiven } = settings;
    const knownFolders = join(dataFolder, KNOWN_FOLDERS_FILE);
    const stays = await runs.runExclusive(async () => {
      const otherFolders = isInboxGiven ? [dataFolder, inboxFolder] : [dataFolder];
      const folder = await makeChosenFolder(text, { home, otherFolders, knownFolders });
      // Stored last: a kill before leaves an empty folder and the earlier setting.
      keepSetting(SOUNDS_VARIABLE, folder);
      const earlier = sounds.path;
      const isUsual = folder === usualSoundsFolder(home);
      sounds.moveTo(folder, { knownFolders: isUsual ? undefined : knownFolders });
      store.change({
        soundsFolder: describeSoundsFolder({ ...settings, soundsFolder: folder }, home),
      });
      const stays = earlier !== folder && (await hasPackages(earlier).catch(() => false));
      return stays ? shortenHome(earlier, home) : null;
    });
    await inbox.restart();
    keptFiles.refresh();
    return { stays };
  }

  /** Shows the folder on this computer (rule N12). @throws {Error} with a sentence when it can't be shown */
  async reveal(): Promise<void> {
    const { revealer, sounds } = this.#deps;
    if (revealer === undefined) throw new Error("Soundferry can't show folders here.");
    await sounds.make();
    await revealer.reveal(sounds.path);
  }

  #assertCanChange(): void {
    const { store, settings } = this.#deps;
    if (settings.soundsFixedBecause !== null) throw new Error(settings.soundsFixedBecause);
    if (store.state.runs.length > 0) {
      throw new RunRefusal(
        "IMPORT_RUNS",
        "An import is running. Change the sounds folder when it has finished.",
      );
    }
  }
}

/** Checks whether packages, imported ones or some in the inbox, are in a sounds folder. */
async function hasPackages(soundsFolder: string): Promise<boolean> {
  const inbox = join(soundsFolder, "Inbox");
  const folders = [...(await listFolders(soundsFolder)), ...(await listFolders(inbox))];
  return folders.some((folder) => basename(folder) !== "Inbox");
}
