import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { type FSWatcher, watch } from "chokidar";
import pLimit from "p-limit";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { unlessMissing } from "../disk/atomic-file.ts";
import { makeFolder } from "../../program/make-folder.ts";
import { isInside, toDiskError } from "../disk/disk-error.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import { isPackageFolder, type LocalPackage, readLocalPackage } from "./local-package.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import type { FolderPackages, InboxPackage } from "../state/importer-state.ts";
import { Refresher } from "../../core/importer/refresher.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../timers.ts";

/** Time without a change of size after which a file counts as complete. */
const SETTLED_MS = 400;
/** The debounce delay of changes. */
const DEBOUNCE_MS = 100;

/** An inbox folder with a manifest: its package, or a sentence that says what is wrong. */
export type InboxEntry = { readonly folder: string } & (
  | { readonly localPackage: LocalPackage }
  | { readonly error: string }
);

/**
 * Lists the inbox's packages by folder name (rule R5); none where there is no inbox. A broken package is listed with
 * its error. Skips folders without a manifest and doesn't follow links.
 */
export async function listInbox(inboxFolder: string): Promise<readonly InboxEntry[]> {
  const children = await unlessMissing(readdir(inboxFolder, { withFileTypes: true }), []);
  const folders = children.filter((child) => child.isDirectory()).map((child) => child.name);
  const entries: InboxEntry[] = [];
  for (const name of folders.sort()) {
    const folder = join(inboxFolder, name);
    try {
      if (!(await isPackageFolder(folder))) continue;
      entries.push({ folder, localPackage: await readLocalPackage(folder) });
    } catch (error) {
      entries.push({ folder, error: sentenceOf(error) });
    }
  }
  return entries;
}

export interface InboxListener {
  /** Called after changes, once files that are being copied are complete. */
  readonly onChange: (entries: readonly InboxEntry[]) => void;
  /** Called when the folder can't be watched or read; the watch continues. */
  readonly onTrouble: (error: unknown) => void;
}

/** Watches an inbox folder until it is disposed. */
export class InboxWatch implements AsyncDisposable {
  readonly #folder: string;
  readonly #listener: InboxListener;
  readonly #watcher: FSWatcher;
  readonly #runExclusive = pLimit(1);
  #debounce: NodeJS.Timeout | undefined;

  private constructor(folder: string, listener: InboxListener) {
    this.#folder = folder;
    this.#listener = listener;
    this.#watcher = watch(folder, {
      depth: 1,
      followSymlinks: false,
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: SETTLED_MS / 4 },
    });
    this.#watcher.on("all", () => this.#readSoon());
    this.#watcher.on("error", (error) => listener.onTrouble(error));
  }

  /** Resolves once the listener was called with the packages and no later change can be missed. */
  static async start(folder: string, listener: InboxListener): Promise<InboxWatch> {
    const inbox = new InboxWatch(folder, listener);
    await new Promise<void>((resolve) => void inbox.#watcher.once("ready", () => resolve()));
    await inbox.#read();
    return inbox;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#debounce);
    await this.#watcher.close();
  }

  #readSoon(): void {
    clearTimeout(this.#debounce);
    this.#debounce = setTimeout(() => void this.#read(), DEBOUNCE_MS);
  }

  #read(): Promise<void> {
    return this.#runExclusive(async () => {
      try {
        this.#listener.onChange(await listInbox(this.#folder));
      } catch (error) {
        this.#listener.onTrouble(error);
      }
    });
  }
}

export interface InboxSyncDeps {
  readonly sounds: Pick<SoundsFolder, "inbox" | "path" | "make">;
  readonly finder: { readFolders(): Promise<FolderPackages> };
  readonly colorTurns: Pick<ColorTurns, "learn" | "known">;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Keeps the local packages in the state in sync with the inbox folder, and with the sounds folder (rules R5, F10). */
export class InboxSync {
  readonly #deps: InboxSyncDeps;
  readonly #refresher: Refresher;
  readonly #onTrouble: (error: unknown) => void;
  #watch: InboxWatch | undefined;

  constructor(deps: InboxSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    // Nothing waits for an inbox that can't be read: its list counts as read and stays as it is.
    this.#onTrouble = (error) =>
      store.change({ local: store.state.local, diskTrouble: sentenceOf(toDiskError(error)) });
    this.#refresher = new Refresher({
      read: async () => void (await this.read()),
      onTrouble: this.#onTrouble,
      timers,
    });
  }

  /**
   * Starts to watch the folder; resolves once no later change can be missed.
   * @throws {DiskError} if the folder can't be made
   */
  async start(): Promise<void> {
    const { sounds } = this.#deps;
    const { inbox } = sounds;
    try {
      if (isInside(inbox, sounds.path)) await sounds.make();
      await makeFolder(inbox);
    } catch (error) {
      throw toDiskError(error);
    }
    this.#watch = await InboxWatch.start(inbox, {
      onChange: () => this.refresh(),
      onTrouble: this.#onTrouble,
    });
  }

  /** Watches the inbox of a changed sounds folder instead, if it was watched before. */
  async restart(): Promise<void> {
    if (this.#watch === undefined) return;
    await this.#watch[Symbol.asyncDispose]();
    await this.start().catch(this.#onTrouble);
  }

  /** Reads the folder again for each host that becomes the current one, because the list says which sounds it has. */
  followHost(): void {
    const { store } = this.#deps;
    let { name } = store.state.host;
    store.subscribe(({ host }) => {
      if (host.name === name) return;
      ({ name } = host);
      this.refresh();
    });
  }

  /** Reads the folder again in the background. */
  refresh(): void {
    this.#refresher.refresh();
  }

  async read(): Promise<readonly InboxPackage[]> {
    const { finder, colorTurns, store } = this.#deps;
    const { local, saved } = await finder.readFolders();
    const found = [...local.filter((one) => "package_id" in one), ...saved];
    const diskTrouble = await colorTurns.learn("inbox", found);
    store.change({ local, saved, colorTurns: colorTurns.known, diskTrouble });
    return local;
  }

  async close(): Promise<void> {
    await Promise.all([this.#refresher.stop(), this.#watch?.[Symbol.asyncDispose]()]);
  }
}
