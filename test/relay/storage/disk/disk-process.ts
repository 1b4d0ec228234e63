import { open as openFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  NODE_FILES,
  type OpenFlags,
  type SoundFile,
  type SoundFiles,
} from "../../../../relay/storage/disk/sound-files.ts";
import { type DiskNode, type DurableTree, FileNode, remember } from "./durable-tree.ts";

/** What can't change anything. */
const READING: ReadonlySet<string> = new Set([
  "open r",
  "opendir",
  "readdir",
  "stat",
  "statfs",
  "read",
  "fstat",
  "close",
]);

/** How one process uses a folder whose durable part is known. Once it has ended, none of its calls does anything. */
export class DiskProcess implements SoundFiles {
  readonly beingWritten = new Set<string>();
  readonly #tree: DurableTree;
  readonly #before: (call: string) => Promise<void> | void;
  readonly #openFiles = new Set<SoundFile>();
  #hasEnded = false;

  constructor(tree: DurableTree, before: (call: string) => Promise<void> | void = () => undefined) {
    this.#tree = tree;
    this.#before = before;
  }

  /** Ends the process as a crash does: what it wrote stays, and what it would write never comes. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    // A call that is under way may still open one.
    await this.#tree.inTurn(async () => undefined);
    for (const file of this.#openFiles) await this.#tree.inTurn(() => file.close());
    this.#openFiles.clear();
  }

  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }) {
    return this.#call("mkdir", async () => {
      const outermost = await NODE_FILES.mkdir(path, options);
      this.#tree.folderAt(path);
      return outermost;
    });
  }

  open(path: string, flags: OpenFlags = "r", mode?: number): Promise<SoundFile> {
    return this.#call(`open ${flags}`, async () => {
      // What was written is read at each flush.
      const file = await openFile(path, flags === "wx" ? "wx+" : flags, mode);
      this.#openFiles.add(file);
      if (flags === "wx") this.#namesAround(path).set(basename(path), new FileNode());
      return this.#watched(file, this.#tree.nodeAt(path));
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call("rename", async () => {
      await NODE_FILES.rename(from, to);
      const node = this.#tree.nodeAt(from);
      this.#namesAround(from).delete(basename(from));
      this.#namesAround(to).set(basename(to), node);
    });
  }

  rmdir(path: string): Promise<void> {
    return this.#call("rmdir", async () => {
      await NODE_FILES.rmdir(path);
      this.#namesAround(path).delete(basename(path));
    });
  }

  unlink(path: string): Promise<void> {
    return this.#call("unlink", async () => {
      await NODE_FILES.unlink(path);
      this.#namesAround(path).delete(basename(path));
    });
  }

  opendir(path: string) {
    return this.#call("opendir", () => NODE_FILES.opendir(path));
  }

  readdir(path: string) {
    return this.#call("readdir", () => NODE_FILES.readdir(path));
  }

  stat(path: string) {
    return this.#call("stat", () => NODE_FILES.stat(path));
  }

  statfs(path: string) {
    return this.#call("statfs", () => NODE_FILES.statfs(path));
  }

  #namesAround(path: string): Map<string, DiskNode> {
    return this.#tree.folderAt(dirname(path)).names;
  }

  #watched(file: SoundFile, node: DiskNode): SoundFile {
    const flush = () => this.#call("sync", () => remember(node, file));
    return {
      writev: (pieces, position) => this.#call("writev", () => file.writev(pieces, position)),
      read: (...read) => this.#call("read", () => file.read(...read)),
      stat: () => this.#call("fstat", () => file.stat()),
      sync: flush,
      datasync: flush,
      close: () =>
        this.#call("close", async () => {
          this.#openFiles.delete(file);
          await file.close();
        }),
    };
  }

  async #call<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    await this.#before(name);
    if (!READING.has(name)) this.#tree.changes += 1;
    return this.#tree.inTurn(() => {
      if (this.#hasEnded) throw new Error("The process has ended.");
      return act();
    });
  }
}
