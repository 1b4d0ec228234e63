import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import type { FolderRevealer } from "./folder-revealer.ts";
import { isMissing } from "../disk/atomic-file.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import type { StateStore } from "../state/state-store.ts";
import { LocalPackageError } from "./local-package-error.ts";
import type { InboxPackage } from "../state/importer-state.ts";

export interface PackageFoldersDeps {
  readonly store: StateStore;
  readonly sounds: Pick<SoundsFolder, "find">;
  /** The system's program for folders; undefined where nobody would see it. */
  readonly revealer: FolderRevealer | undefined;
}

/** Shows packages' folders on this computer (rule N12). */
export class PackageFolders {
  readonly #deps: PackageFoldersDeps;

  constructor(deps: PackageFoldersDeps) {
    this.#deps = deps;
  }

  /**
   * Shows an inbox package's own folder, or the folder of a package's imported sounds.
   * @param packageId as the panel knows it, also of a folder that isn't a valid package
   * @throws {Error} with a sentence when there is none, or it can't be shown
   */
  async reveal(packageId: string): Promise<void> {
    const { revealer, sounds } = this.#deps;
    if (revealer === undefined) throw new Error("Soundferry can't show folders here.");
    const folder = this.#inInbox(packageId) ?? (await sounds.find(packageId));
    if (folder === undefined || !(await isPlainFolder(folder))) {
      throw new LocalPackageError("This package has no folder on this computer.");
    }
    await revealer.reveal(folder);
  }

  #inInbox(packageId: string): string | undefined {
    const { local } = this.#deps.store.state;
    return local.find((one) => inboxIdOf(one) === packageId)?.folder;
  }
}

/** Returns the panel's id of an inbox package, also of one that isn't valid. */
export function inboxIdOf(one: InboxPackage): string {
  return "error" in one ? `inbox/${basename(one.folder)}` : one.package_id;
}

/** Returns whether a path is a folder and not a link, which could lead anywhere. */
async function isPlainFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
