import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { forEachConcurrently } from "../../addon/packages/for-each-concurrently.ts";
import { ControlError } from "../../addon/control/control-call.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { isPackageFolder } from "../../addon/packages/local-package.ts";
import type { EditRequest, PreviewDiff, PreviewState } from "../../core/protocol/preview-api.ts";
import { VERSION } from "../../core/version.ts";
import { ViewStore } from "../../core/view-store.ts";
import { updateGolden } from "../layout/golden.ts";
import { type HeardPackage, hearFile } from "../layout/hear-package.ts";
import type { FolderPackage } from "../layout/read-package-folder.ts";
import { diffFolders } from "./diff-folders.ts";
import { type ManifestFile, replaceManifestFile } from "../layout/manifest/manifest-file.ts";
import { planEdit } from "./manifest/plan-edit.ts";
import { isUnchanged } from "./is-unchanged.ts";
import {
  judgeAudio,
  type PreviewedFolder,
  type ReadFolder,
  readPreviewScene,
  type SceneFolder,
} from "./read-preview-scene.ts";
import { findSceneFolders, type SearchOptions } from "./scene-folders.ts";
import { SceneListener } from "./scene-listener.ts";

/** The folders and files to read again. */
interface Wanted {
  readonly all: boolean;
  /** Files and folders that changed, absolute. */
  readonly paths: ReadonlySet<string>;
}

const NOTHING: Wanted = { all: false, paths: new Set() };

export interface PreviewSessionOptions extends SearchOptions {
  readonly isWatching: boolean;
  /** Reads the audio of a sound. */
  readonly hear?: typeof hearFile;
}

/** The scenes of package folders, read from disk on request (rules V1 and V2). */
export class PreviewSession implements AsyncDisposable {
  readonly #options: PreviewSessionOptions;
  readonly #mutex = pLimit(1);
  #wanted = NOTHING;
  #found: ReadonlyMap<string, SceneFolder> = new Map();
  /** The folders as last read, by absolute path. */
  #read: ReadonlyMap<string, PreviewedFolder> = new Map();
  /** Each manifest as it was first read, by folder. */
  readonly #first = new Map<string, ManifestFile>();
  /** The folders whose sounds are read before those of others. */
  readonly #urgent = new Set<string>();
  readonly #listener: SceneListener;
  readonly #store: ViewStore<PreviewState>;

  constructor(options: PreviewSessionOptions) {
    const { isWatching, hear = hearFile } = options;
    this.#options = options;
    this.#listener = new SceneListener((heard) => this.#judge(heard), hear);
    this.#store = new ViewStore({ version: VERSION, isWatching, trouble: null, scenes: [] });
  }

  get state(): PreviewState {
    return this.#store.view;
  }

  /** Calls the listener after each change; returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  /** Finds and reads all packages. Calls that wait at the same time share one read. */
  readAll(): Promise<void> {
    this.#wanted = { ...this.#wanted, all: true };
    return this.#mutex(() => this.#readWanted());
  }

  /** Reads the packages of these paths; searches again only if a package was added or removed. */
  readChanged(paths: Iterable<string>): Promise<void> {
    this.#wanted = { ...this.#wanted, paths: new Set([...this.#wanted.paths, ...paths]) };
    return this.#mutex(() => this.#readWanted());
  }

  /** Shows why edits of some folders don't appear. */
  reportTrouble(sentence: string): void {
    this.#change({ trouble: sentence });
  }

  /**
   * The folder with this key, as last read.
   * @throws {ControlError} 404
   */
  folderOf(key: string): PreviewedFolder {
    const previewed = this.#read.get(this.#find(key).folder);
    if (previewed === undefined) throw new ControlError(404, "This scene hasn't been read yet.");
    return previewed;
  }

  /**
   * Accepts a scene's layout as its golden (rule V3).
   * @param revision the scene's, as the user saw it
   * @throws {ControlError} 404; 409 if the package can't be read or has changed, if its sounds are still being read,
   *   if a file of it can't be accepted (rule B7), or if its golden can't be written
   */
  accept(key: string, revision: string): Promise<void> {
    return this.#mutex(async () => {
      const { found, now } = await this.#readAgain(key);
      if (!("pkg" in now)) throw new ControlError(409, now.scene.error);
      if (now.scene.revision !== revision) {
        throw new ControlError(409, "This has just changed. Check it, then accept it.");
      }
      if (now.audio === undefined) throw new ControlError(409, STILL_READING);
      const { problems, isRefused } = await updateGolden(now.pkg, now.audio).catch(refuseToWrite);
      const [problem] = problems;
      if (isRefused && problem !== undefined) throw new ControlError(409, problem.text);
      this.#put(found, await this.#readScene(found));
    });
  }

  /**
   * Sets fields of a scene's manifest (rule V16).
   * @returns the manifest's new revision
   * @throws {ControlError} 400 if a value isn't allowed; 404; 409 if the manifest has changed or can't be written
   */
  edit(key: string, { revision, changes }: EditRequest): Promise<string> {
    return this.#mutex(async () => {
      const { found, now } = await this.#readAgain(key);
      const { manifest, scene } = now;
      if (manifest?.revision !== revision) throw new ControlError(409, CHANGED_MEANWHILE);
      const fixedBecause = scene.manifest?.fixedBecause ?? null;
      if (fixedBecause !== null) throw new ControlError(409, fixedBecause);
      const text = planEdit(manifest.text, changes);
      if (text === manifest.text) return revision;
      const isWritten = await replaceManifestFile(manifest, text).catch(refuseToWrite);
      const edited = await this.#readScene(found);
      this.#put(found, edited);
      if (!isWritten) throw new ControlError(409, CHANGED_MEANWHILE);
      return edited.manifest?.revision ?? "";
    });
  }

  /** Reads the sounds of this scene before those of others (rule V18). @throws {ControlError} 404 */
  hearFirst(key: string): void {
    this.#urgent.add(this.#find(key).folder);
    this.#listen();
  }

  /** The changes of one scene, or of all, as unified diffs (rule V17). @throws {ControlError} 404 */
  diff(key?: string): Promise<PreviewDiff> {
    const wanted = key === undefined ? [...this.#read.keys()] : [this.#find(key).folder];
    const folders = wanted.flatMap((folder) => {
      const previewed = this.#read.get(folder);
      return previewed ? [{ folder, previewed, first: this.#first.get(folder) }] : [];
    });
    return diffFolders(folders, this.#options.startFolder);
  }

  /** Stops reading sounds. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#listener[Symbol.asyncDispose]();
  }

  #find(key: string): SceneFolder {
    for (const found of this.#found.values()) if (found.key === key) return found;
    throw new ControlError(404, "There is no such scene.");
  }

  /** Reads a scene and shows it as it is now. */
  async #readAgain(key: string) {
    const found = this.#find(key);
    const now = await this.#readScene(found);
    this.#put(found, now);
    return { found, now };
  }

  #readScene(found: SceneFolder): Promise<PreviewedFolder> {
    return readPreviewScene(found, {
      recall: (pkg) => this.#listener.recall(pkg),
      firstRevisionOf: (manifest) => {
        const first = this.#first.get(found.folder) ?? manifest;
        this.#first.set(found.folder, first);
        return first.revision;
      },
    });
  }

  async #readWanted(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === NOTHING) return;
    this.#wanted = NOTHING;
    if (wanted.all || (await this.#isRearranged(wanted.paths))) {
      this.#found = await findSceneFolders(this.#options);
    }
    const touched = new Set([...wanted.paths].map((path) => this.#ownerOf(path)?.folder));
    const read = new Map<string, PreviewedFolder>();
    const toRead: SceneFolder[] = [];
    for (const found of this.#found.values()) {
      const before = this.#read.get(found.folder);
      const mayBeSame = before !== undefined && !touched.has(found.folder);
      if (mayBeSame && (!wanted.all || (await isUnchanged(before)))) read.set(found.folder, before);
      else toRead.push(found);
    }
    await forEachConcurrently(toRead, new AbortController().signal, async (found) => {
      read.set(found.folder, await this.#readScene(found));
    });
    this.#show(read);
  }

  /** Checks whether a package was added or removed. */
  async #isRearranged(paths: ReadonlySet<string>): Promise<boolean> {
    for (const path of paths) {
      if (basename(path) !== MANIFEST_FILE) continue;
      const folder = dirname(path);
      const isThere = await isPackageFolder(folder).catch(() => false);
      if (isThere !== this.#found.has(folder)) return true;
    }
    return false;
  }

  /** The innermost shown folder that contains the path, or is it. */
  #ownerOf(path: string): SceneFolder | undefined {
    for (let at = path; ; at = dirname(at)) {
      const found = this.#found.get(at);
      if (found !== undefined || at === dirname(at)) return found;
    }
  }

  #put({ folder }: SceneFolder, previewed: PreviewedFolder): void {
    this.#show(new Map([...this.#read, [folder, previewed]]));
  }

  /** Compares packages with their goldens, now that their sounds have been read. */
  #judge(heard: ReadonlyMap<FolderPackage, HeardPackage>): Promise<void> {
    return this.#mutex(async () => {
      const judged = new Map(this.#read);
      for (const [pkg, now] of heard) {
        const one = this.#read.get(pkg.folder);
        // A package that was read again meanwhile is heard again.
        if (one === undefined || !("pkg" in one) || one.pkg !== pkg) continue;
        judged.set(pkg.folder, await judgeAudio(one, now));
      }
      this.#show(judged);
    });
  }

  #show(read: ReadonlyMap<string, PreviewedFolder>): void {
    for (const [folder, one] of read) {
      const before = this.#read.get(folder);
      if (!isUnheard(one)) this.#urgent.delete(folder);
      else if (before !== undefined && !isUnheard(before)) this.#urgent.add(folder);
    }
    this.#read = read;
    const shown = [...this.#found.keys()].flatMap((folder) => read.get(folder) ?? []);
    this.#change({ scenes: shown.map(({ scene }) => scene) });
    this.#listen();
  }

  /** Reads the sounds of the folders that lack it: those that were asked for or edited, then the others in order. */
  #listen(): void {
    const waiting = [...this.#found.keys()].flatMap((folder) => {
      const one = this.#read.get(folder);
      if (one === undefined || !isUnheard(one)) return [];
      return [{ pkg: one.pkg, isUrgent: this.#urgent.has(folder) }];
    });
    this.#listener.listen(waiting.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent)));
  }

  #change(change: Partial<PreviewState>): void {
    const { view } = this.#store;
    if (!isDeepStrictEqual({ ...view, ...change }, view)) this.#store.change(change);
  }
}

function isUnheard(one: PreviewedFolder): one is ReadFolder {
  return "pkg" in one && one.scene.findings === null;
}

const STILL_READING = "The sounds are still being read. Accept the package after that.";

const CHANGED_MEANWHILE = "manifest.json has just changed on disk. Check it, then edit it again.";

/** @throws {ControlError} 409 */
function refuseToWrite(error: unknown): never {
  if (!(error instanceof LocalPackageError)) throw error;
  throw new ControlError(409, error.message, { cause: error });
}
