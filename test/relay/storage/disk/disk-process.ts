import { open as openFile } from "node:fs/promises";
import { relative } from "node:path";
import {
  NODE_FILES,
  type OpenFlags,
  type SoundFile,
  type SoundFiles,
} from "../../../../relay/storage/disk/sound-files.ts";
import { type DiskNode, RecordedDisk } from "../../../sim/recorded-disk.ts";

/** The calls that can't change anything. */
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

const NO_ANSWER = Symbol("a process that has ended gets none");

/** A real folder, and what of it is durable. */
export class SharedFolder {
  readonly path: string;
  /** Number of calls that were begun and can change files, or what of them is durable. */
  changes = 0;
  recorded = new RecordedDisk();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Calls run one after the other, so that what is recorded is what is there. */
  inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(act);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  nodeAt(path: string): DiskNode {
    return this.recorded.nodeAt(relative(this.path, path));
  }

  note(call: "write" | "remove" | "make folder", path: string): void {
    const at = relative(this.path, path);
    this.recorded.play(call === "write" ? { call, path: at, bytes: "" } : { call, path: at });
  }
}

/**
 * One process's use of a folder whose durable part is known. After its end none of its calls does or answers
 * anything.
 */
export class DiskProcess implements SoundFiles {
  readonly beingWritten = new Set<string>();
  readonly #folder: SharedFolder;
  readonly #before: (call: string) => Promise<void> | void;
  readonly #openFiles = new Set<SoundFile>();
  #hasEnded = false;

  constructor(
    folder: SharedFolder,
    before: (call: string) => Promise<void> | void = () => undefined,
  ) {
    this.#folder = folder;
    this.#before = before;
  }

  /** Ends the process as a crash does: what it wrote stays, and what it would write never comes. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    // A call that is under way may still open one.
    await this.#folder.inTurn(async () => undefined);
    for (const file of this.#openFiles) await this.#folder.inTurn(() => file.close());
    this.#openFiles.clear();
  }

  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }) {
    return this.#call("mkdir", async () => {
      const outermost = await NODE_FILES.mkdir(path, options);
      this.#folder.note("make folder", path);
      return outermost;
    });
  }

  open(path: string, flags: OpenFlags = "r", mode?: number): Promise<SoundFile> {
    return this.#call(`open ${flags}`, async () => {
      // What was written is read at each flush.
      const file = await openFile(path, flags === "wx" ? "wx+" : flags, mode);
      this.#openFiles.add(file);
      if (flags === "wx") this.#folder.note("write", path);
      return this.#watched(file, this.#folder.nodeAt(path));
    });
  }

  /** Leaves all to single calls, which it knows. */
  async removeMany({ keys }: { readonly keys: readonly string[] }): Promise<readonly string[]> {
    return keys;
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call("rename", async () => {
      await NODE_FILES.rename(from, to);
      const { path: root, recorded } = this.#folder;
      recorded.play({ call: "rename", path: relative(root, from), to: relative(root, to) });
    });
  }

  rmdir(path: string): Promise<void> {
    return this.#call("rmdir", async () => {
      await NODE_FILES.rmdir(path);
      this.#folder.note("remove", path);
    });
  }

  unlink(path: string): Promise<void> {
    return this.#call("unlink", async () => {
      await NODE_FILES.unlink(path);
      this.#folder.note("remove", path);
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

  #watched(file: SoundFile, node: DiskNode): SoundFile {
    const flush = () =>
      this.#call("sync", async () => {
        if ("content" in node) {
          node.content = Buffer.alloc((await file.stat()).size);
          await file.read(node.content, 0, node.content.length, 0);
        }
        node.flush();
      });
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
    if (!READING.has(name)) this.#folder.changes += 1;
    const result = await this.#folder.inTurn(async () =>
      this.#hasEnded ? NO_ANSWER : await act(),
    );
    return result === NO_ANSWER ? new Promise<never>(() => {}) : result;
  }
}
