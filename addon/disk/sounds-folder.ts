import { readdir, realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { claimNames } from "../../core/saved-package/claim-names.ts";
import {
  type FolderMarker,
  MARKER_FILE,
  newMarker,
} from "../../core/saved-package/folder-marker.ts";
import { clashKey, folderNameFor } from "../../core/text/file-name.ts";
import { flushFolder } from "../../program/flush-folder.ts";
import { lstatIfAny, makeDurableFolder, unlessMissing } from "./atomic-file.ts";
import { isOwnName, readMarker, writeMarker } from "./folder-marker.ts";
import { makeKnownFolder } from "./known-folders.ts";
import { readSavedSounds } from "./written-files.ts";
import {
  clearEmptyFolders,
  createPackageFolder,
  isPackageFolderName,
  listFolders,
  removeIfEmpty,
} from "./package-folders.ts";

interface SoundsFolderOptions {
  /**
   * The file that remembers the folder, so that an unplugged drive is noticed (rule F7); undefined for a folder that is
   * made again whenever it is missing.
   */
  readonly knownFolders?: string | undefined;
  /** The inbox's folder; by default it is in the sounds folder, wherever that is. */
  readonly inbox?: string | undefined;
  /** Called with the path before the folder is made at its first use; may throw. */
  readonly onFirstUse?: ((path: string) => void) | undefined;
}

/**
 * The folder of imported sounds, with a folder per package (rules F1, F2). Links in it aren't followed, so that
 * nothing is written outside (rule F4). Allows one import at a time. A person can change its path (rule F9), so nobody
 * keeps a copy of it.
 */
export class SoundsFolder {
  #path: string;
  #options: SoundsFolderOptions;

  /** @param path created on first use; may itself be a link, for example to another disk */
  constructor(path: string, options: SoundsFolderOptions = {}) {
    this.#path = path;
    this.#options = options;
  }

  get path(): string {
    return this.#path;
  }

  /** The path of the inbox's folder (rule R5). */
  get inbox(): string {
    return this.#options.inbox ?? join(this.#path, "Inbox");
  }

  /** Creates the folder on first use. @throws {DiskError} if its drive isn't there */
  async make(): Promise<void> {
    const { knownFolders, onFirstUse } = this.#options;
    onFirstUse?.(this.#path);
    this.#options = { ...this.#options, onFirstUse: undefined };
    if (knownFolders === undefined) await makeDurableFolder(this.#path);
    else await makeKnownFolder(this.#path, knownFolders);
  }

  /** Replaces the path by one that a person chose. What is in the folder stays. No import may run meanwhile. */
  moveTo(path: string, { knownFolders }: Pick<SoundsFolderOptions, "knownFolders">): void {
    this.#path = path;
    this.#options = { inbox: this.#options.inbox, knownFolders };
  }

  /** Returns the absolute path of a package's folder, found by its marker; undefined if there is none. */
  async find(packageId: string): Promise<string | undefined> {
    return unlessMissing(findFolder(this.#path, packageId), undefined);
  }

  /**
   * Removes empty folders of packages that were left by killed processes (rule F6).
   * @param options.keep a folder that stays although it is empty
   */
  async clearEmpty(options: { readonly keep: string; readonly now: number }): Promise<void> {
    await clearEmptyFolders(this.path, options);
  }

  /**
   * Finds the package's folder by its marker, even if renamed, or creates one named after the title.
   * File names avoid those of other people's files.
   */
  async openFor(manifest: Manifest): Promise<PackageFolder> {
    await this.make();
    const root = await realpath(this.path);
    const path =
      (await findFolder(root, manifest.package_id)) ?? (await createFolder(root, manifest));
    return new PackageFolder(path, await claimFileNames(path, manifest));
  }
}

/** The folder of one package's sounds. */
export class PackageFolder {
  /** The folder's absolute path, without symbolic links. */
  readonly path: string;
  readonly name: string;
  readonly #fileNames: ReadonlyMap<string, string>;

  /** @param fileNames by sound id */
  constructor(path: string, fileNames: ReadonlyMap<string, string>) {
    this.path = path;
    this.name = basename(path);
    this.#fileNames = fileNames;
  }

  /** Returns the name of a sound's file, which may not exist yet. */
  fileNameOf(soundId: string): string {
    const fileName = this.#fileNames.get(soundId);
    if (fileName === undefined) throw new RangeError(`There is no sound ${soundId}.`);
    return fileName;
  }

  pathOf(soundId: string): string {
    return join(this.path, this.fileNameOf(soundId));
  }

  /** Marks sounds as played by a host from here: clearing leaves them (rule F6). */
  async keep(soundIds: readonly string[]): Promise<void> {
    const marker = await this.#marker();
    const playedNames = new Set(marker.playedNames);
    for (const soundId of soundIds) playedNames.add(this.fileNameOf(soundId));
    if (playedNames.size > marker.playedNames.size) {
      await writeMarker(this.path, { ...marker, playedNames });
    }
  }

  /**
   * Deletes files of ours that belong to no sound and that no host plays, such as a crash's copy (rule F5), and the
   * folder if it is empty. A file that another program holds open may stay.
   */
  async removeLeftovers(): Promise<void> {
    const { fileNames, playedNames } = await this.#marker();
    const sounds = new Set(this.#fileNames.values());
    const left = [...fileNames].filter((name) => !sounds.has(name) && !playedNames.has(name));
    const remove = async (name: string) => {
      const path = join(this.path, name);
      if (await isPlainFileOrNothing(path)) await rm(path, { force: true });
    };
    await Promise.allSettled(left.filter(isOwnName).map(remove));
    await removeIfEmpty(this.path);
  }

  async #marker(): Promise<FolderMarker> {
    const marker = await readMarker(this.path);
    if (marker === undefined) throw new Error(`${MARKER_FILE} is missing from ${this.path}.`);
    return marker;
  }
}

async function findFolder(root: string, packageId: string): Promise<string | undefined> {
  for (const path of (await listFolders(root)).filter(isPackageFolderName).sort()) {
    if ((await readMarker(path))?.packageId === packageId) return path;
  }
  return undefined;
}

async function createFolder(root: string, manifest: Manifest): Promise<string> {
  const taken = new Set((await readdir(root)).map(clashKey));
  const name = folderNameFor(manifest.title, (candidate) => taken.has(clashKey(candidate)));
  const path = join(root, name);
  await createPackageFolder(path, newMarker(manifest));
  await flushFolder(root);
  return path;
}

/** Assigns file names and lists them in the marker; returns them by sound id. */
async function claimFileNames(
  path: string,
  manifest: Manifest,
): Promise<ReadonlyMap<string, string>> {
  const marker = (await readMarker(path)) ?? newMarker(manifest);
  const ours = new Set<string>();
  for (const fileName of marker.fileNames) {
    if (await isPlainFileOrNothing(join(path, fileName))) ours.add(fileName);
  }
  const there = { all: await readdir(path), ours, saved: await readSavedSounds(path) };
  const claimed = claimNames(manifest.items, there);
  const fileNames = new Set([...ours, ...claimed.values()]);
  if ([...fileNames].some((name) => !marker.fileNames.has(name))) {
    await writeMarker(path, { ...marker, fileNames });
  }
  return claimed;
}

/** Checks whether a listed name is still ours: a file or nothing, but not a folder or link. */
async function isPlainFileOrNothing(path: string): Promise<boolean> {
  return (await lstatIfAny(path))?.isFile() ?? true;
}
