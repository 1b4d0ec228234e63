import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { type FSWatcher, watch } from "chokidar";
import { isPackageFolder, type LocalPackage, readLocalPackage } from "./local-package.ts";
import { createMutex } from "../concurrency/mutex.ts";

/** A file counts as complete when its size has not changed for this long. */
const SETTLED_MS = 400;
/** Changes that follow each other faster than this are looked at together. */
const GATHER_MS = 100;

/** A folder of the inbox that has a manifest: the package, or a sentence that says what is wrong. */
export type InboxEntry = { readonly folder: string } & (
  | { readonly localPackage: LocalPackage }
  | { readonly error: string }
);

/**
 * The packages in an inbox folder, which is made where there is none, by their folders' names (rule
 * R5). A broken one has its error in its place. Folders without a manifest are not listed, links are
 * not followed.
 */
export async function listInbox(inboxFolder: string): Promise<readonly InboxEntry[]> {
  await mkdir(inboxFolder, { recursive: true });
  const children = await readdir(inboxFolder, { withFileTypes: true });
  const folders = children.filter((child) => child.isDirectory()).map((child) => child.name);
  const entries: InboxEntry[] = [];
  for (const name of folders.sort()) {
    const folder = join(inboxFolder, name);
    try {
      if (!(await isPackageFolder(folder))) continue;
      entries.push({ folder, localPackage: await readLocalPackage(folder) });
    } catch (error) {
      entries.push({ folder, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return entries;
}

export interface InboxListener {
  /** Called after every change, once the files that are being copied have settled. */
  readonly onChange: (entries: readonly InboxEntry[]) => void;
  /** Called when the folder can't be watched or read; the watch continues. */
  readonly onTrouble: (error: unknown) => void;
}

/** Watches an inbox folder until it is closed. */
export class InboxWatch implements AsyncDisposable {
  readonly #folder: string;
  readonly #listener: InboxListener;
  readonly #watcher: FSWatcher;
  readonly #looks = createMutex();
  #gathering: NodeJS.Timeout | undefined;

  private constructor(folder: string, listener: InboxListener) {
    this.#folder = folder;
    this.#listener = listener;
    this.#watcher = watch(folder, {
      depth: 1,
      followSymlinks: false,
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: SETTLED_MS / 4 },
    });
    this.#watcher.on("all", () => this.#lookSoon());
    this.#watcher.on("error", (error) => listener.onTrouble(error));
  }

  /** Resolves when every later change will be noticed; the listener has heard of the packages by then. */
  static async start(folder: string, listener: InboxListener): Promise<InboxWatch> {
    await mkdir(folder, { recursive: true });
    const inbox = new InboxWatch(folder, listener);
    await new Promise<void>((resolve) => void inbox.#watcher.once("ready", () => resolve()));
    await inbox.#look();
    return inbox;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#watcher.close();
  }

  #lookSoon(): void {
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => void this.#look(), GATHER_MS);
  }

  #look(): Promise<void> {
    return this.#looks(async () => {
      try {
        this.#listener.onChange(await listInbox(this.#folder));
      } catch (error) {
        this.#listener.onTrouble(error);
      }
    });
  }
}
