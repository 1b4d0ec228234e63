import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { lstatIfAny } from "../disk/atomic-file.ts";
import { MARKER_FILE } from "../../core/saved-package/folder-marker.ts";
import { readMarker } from "../disk/folder-marker.ts";
import { isPackageFolderName, listFolders } from "../disk/package-folders.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import type { InboxPackage, UsableInboxPackage } from "../state/importer-state.ts";
import type { InboxEntry } from "./inbox.ts";
import { type LocalPackage, readLocalPackage } from "./local-package.ts";
import { isPackageId } from "../../core/protocol/package-id.ts";

const READS_AT_ONCE = 16;

/** The packages of a sounds folder, without its inbox. */
export interface SoundsFolderList {
  /** Packages that an importer saved, each id once. */
  readonly saved: readonly LocalPackage[];
  /** Folders with a manifest that no importer made; like those of the inbox (rule R5). */
  readonly unmarked: readonly InboxEntry[];
}

/** A folder as it was last read. */
interface KnownFolder {
  readonly fingerprint: string;
  readonly read: ReadFolder;
}

/** Undefined for a saved package that can't be imported from here: it isn't listed. */
type ReadFolder = { readonly saved: LocalPackage | undefined } | { readonly unmarked: InboxEntry };

/**
 * The packages in the sounds folder (rule F10). A saved package has the id that its folder's marker names. Opens no
 * sound, and a folder's manifest and marker only when something in the folder has changed.
 */
export class SavedPackages {
  readonly #sounds: Pick<SoundsFolder, "path" | "find">;
  #known: ReadonlyMap<string, KnownFolder> = new Map();

  constructor(sounds: Pick<SoundsFolder, "path" | "find">) {
    this.#sounds = sounds;
  }

  /** Lists the packages by folder name. @param inboxFolder a folder that isn't looked into */
  async list(inboxFolder: string): Promise<SoundsFolderList> {
    const inbox = await realpath(inboxFolder).catch(() => inboxFolder);
    const known = new Map<string, KnownFolder>();
    const saved = new Map<string, LocalPackage>();
    const unmarked: InboxEntry[] = [];
    const folders = (await listFolders(this.#sounds.path)).filter(isPackageFolderName);
    const sorted = folders.filter((path) => path !== inbox).sort();
    const found = await pLimit(READS_AT_ONCE).map(sorted, (folder) => this.#read(folder));
    for (const [index, folder] of sorted.entries()) {
      const one = found[index];
      if (one === undefined) continue;
      known.set(folder, one);
      const { read } = one;
      if ("unmarked" in read) unmarked.push(read.unmarked);
      else if (read.saved !== undefined && !saved.has(read.saved.packageId)) {
        saved.set(read.saved.packageId, read.saved);
      }
    }
    this.#known = known;
    return { saved: [...saved.values()], unmarked };
  }

  /** Reads a folder, if it has changed; undefined for one without a manifest. */
  async #read(folder: string): Promise<KnownFolder | undefined> {
    const fingerprint = await fingerprintOf(folder);
    if (fingerprint === undefined) return undefined;
    const before = this.#known.get(folder);
    if (before?.fingerprint === fingerprint) return before;
    return { fingerprint, read: await readFolder(folder) };
  }

  /** Finds a saved package by its id; undefined where none of its sounds can be imported from here. */
  async find(packageId: string): Promise<LocalPackage | undefined> {
    const folder = await this.#sounds.find(packageId);
    return folder === undefined ? undefined : readSaved(folder, packageId);
  }

  /**
   * Returns the ids of a package's sounds that the folder has in their proven sizes, as an import from here finds them. Each
   * was flushed before it got its name (rule F3).
   */
  async keptOf(packageId: string): Promise<ReadonlySet<string>> {
    const found = await this.find(packageId);
    const kept = new Set<string>();
    for (const { id, file, bytes, sha256 } of found?.manifest.items ?? []) {
      if (found === undefined || found.problems.has(id) || sha256 === undefined) continue;
      const there = await lstatIfAny(join(found.folder, file));
      if (there?.isFile() === true && there.size === bytes) kept.add(id);
    }
    return kept;
  }

  /** Reads the saved package in a folder; undefined for any folder but one of the sounds folder's own. */
  async findAt(path: string): Promise<LocalPackage | undefined> {
    const [folder, root] = await Promise.all(
      [path, this.#sounds.path].map((each) => realpath(each).catch(() => undefined)),
    );
    if (folder === undefined || dirname(folder) !== root) return undefined;
    const packageId = await markedId(folder);
    return packageId === undefined ? undefined : readSaved(folder, packageId);
  }
}

/** Returns the saved packages that neither relay nor inbox list. */
export function onlySaved(lists: {
  readonly packages: readonly Pick<ImportablePackage, "package_id">[];
  readonly local: readonly InboxPackage[];
  readonly saved: readonly UsableInboxPackage[];
}): readonly UsableInboxPackage[] {
  const usable = lists.local.filter((one) => "package_id" in one);
  const listed = new Set([...lists.packages, ...usable].map(({ package_id }) => package_id));
  return lists.saved.filter(({ package_id }) => !listed.has(package_id));
}

async function readFolder(folder: string): Promise<ReadFolder> {
  try {
    const packageId = await markedId(folder);
    if (packageId !== undefined) return { saved: await readSaved(folder, packageId) };
    return { unmarked: { folder, localPackage: await readLocalPackage(folder) } };
  } catch (error) {
    return { unmarked: { folder, error: sentenceOf(error) } };
  }
}

/** Returns the package id in a folder's marker; undefined where that is none that an importer gives. */
async function markedId(folder: string): Promise<string | undefined> {
  const marker = await readMarker(folder);
  return marker !== undefined && isPackageId(marker.packageId) ? marker.packageId : undefined;
}

async function readSaved(folder: string, packageId: string): Promise<LocalPackage | undefined> {
  try {
    const found = await readLocalPackage(folder, { savedId: packageId });
    const { manifest, problems } = found;
    return manifest.items.some(({ id }) => !problems.has(id)) ? found : undefined;
  } catch {
    // A manifest that a person or a disk has damaged: the next import from the relay repairs it.
    return undefined;
  }
}

/** Returns a text that changes with a folder's content; undefined for a folder without a manifest. */
async function fingerprintOf(folder: string): Promise<string | undefined> {
  const paths = [join(folder, MANIFEST_FILE), join(folder, MARKER_FILE), folder];
  // A folder that can't be read offers nothing.
  const found = await Promise.all(paths.map(lstatIfAny)).catch(() => []);
  const [manifest, ...others] = found;
  if (manifest === undefined) return undefined;
  const marks = [manifest, ...others].map((one) => `${one?.ino} ${one?.size} ${one?.ctimeMs}`);
  return marks.join(" ");
}
