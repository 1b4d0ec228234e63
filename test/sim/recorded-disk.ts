import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiskCall } from "./disk-call.ts";

/** `flushed`: names up to the last flush of their folder; `all`: disks may write names sooner, before the bytes. */
export const NAMES = ["flushed", "all"] as const;
/** The possible remains of bytes that no flush has made durable. */
export const BYTES = ["flushed", "zeros", "torn", "all"] as const;

export interface Survival {
  readonly names: (typeof NAMES)[number];
  readonly bytes: (typeof BYTES)[number];
}

/** Path → content; undefined for a folder. */
export type Tree = ReadonlyMap<string, Buffer | undefined>;

class FileNode {
  content = Buffer.alloc(0);
  durable = Buffer.alloc(0);

  flush(): void {
    this.durable = this.content;
  }
}

class FolderNode {
  readonly names = new Map<string, DiskNode>();
  durable = new Map<string, DiskNode>();

  flush(): void {
    this.durable = new Map(this.names);
  }
}

/** A file knows which of its bytes are durable, a folder which of its names. */
export type DiskNode = FileNode | FolderNode;

/** A disk that calls are played on, and that knows what of them a power cut leaves. */
export class RecordedDisk {
  readonly #root = new FolderNode();

  /** A disk that holds a tree, all of it durable. */
  static of(tree: Tree): RecordedDisk {
    const disk = new RecordedDisk();
    for (const [path, bytes] of tree) {
      const [folder, name] = disk.#place(path);
      const node = bytes === undefined ? new FolderNode() : new FileNode();
      if (bytes !== undefined) Object.assign(node, { content: bytes, durable: bytes });
      folder.names.set(name, node);
      folder.flush();
    }
    return disk;
  }

  /** @throws {Error} if nothing was made there */
  nodeAt(path: string): DiskNode {
    const [folder, name] = this.#place(path);
    const node = name === "" ? folder : folder.names.get(name);
    if (node === undefined) throw new Error(`${path} was never made.`);
    return node;
  }

  play(done: DiskCall): void {
    if (done.call === "make folder") return this.#makeFolders(done.path);
    const [folder, name] = this.#place(done.path);
    const node = name === "" ? folder : folder.names.get(name);
    if (done.call === "write") {
      const file = node instanceof FileNode ? node : new FileNode();
      file.content = Buffer.from(done.bytes, "base64");
      folder.names.set(name, file);
    } else if (done.call === "remove") {
      folder.names.delete(name);
    } else if (done.call === "rename") {
      if (node === undefined) throw new Error(`${done.path} was renamed but never made.`);
      const [target, targetName] = this.#place(done.to);
      folder.names.delete(name);
      target.names.set(targetName, node);
    } else {
      node?.flush();
    }
  }

  /** Returns the files that a power cut leaves now. */
  afterCut(survival: Survival): Tree {
    const tree = new Map<string, Buffer | undefined>();
    collect(this.#root, "", survival, tree);
    return tree;
  }

  #makeFolders(path: string): void {
    let folder = this.#root;
    for (const name of path === "" ? [] : path.split("/")) {
      const next = folder.names.get(name) ?? new FolderNode();
      if (!(next instanceof FolderNode)) throw new Error(`${path} leads through a file.`);
      folder.names.set(name, next);
      folder = next;
    }
  }

  #place(path: string): [FolderNode, string] {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = this.#root;
    for (const name of names) {
      const next = folder.names.get(name);
      if (!(next instanceof FolderNode)) throw new Error(`The folder of ${path} was never made.`);
      folder = next;
    }
    return [folder, last];
  }
}

function collect(
  folder: FolderNode,
  at: string,
  survival: Survival,
  tree: Map<string, Buffer | undefined>,
): void {
  for (const [name, node] of survival.names === "all" ? folder.names : folder.durable) {
    const path = join(at, name);
    if (node instanceof FolderNode) {
      tree.set(path, undefined);
      collect(node, path, survival, tree);
    } else {
      tree.set(path, survivingBytes(node, survival.bytes));
    }
  }
}

function survivingBytes({ content, durable }: FileNode, bytes: Survival["bytes"]): Buffer {
  if (bytes === "flushed") return durable;
  if (bytes === "all" || content.equals(durable)) return content;
  const differsAt = content.findIndex((byte, index) => byte !== durable[index]);
  const same = differsAt === -1 ? content.length : differsAt;
  if (bytes === "zeros") return Buffer.concat([content, Buffer.alloc(0)]).fill(0, same);
  return content.subarray(0, Math.ceil((same + content.length) / 2));
}

/** Empties a folder and writes a tree into it. */
export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  for (const [path, bytes] of tree) {
    if (bytes === undefined) await mkdir(join(folder, path), { recursive: true });
    else await writeFile(join(folder, path), bytes);
  }
}

/** Reads the real files of a folder. */
export async function readTree(folder: string): Promise<Tree> {
  const tree = new Map<string, Buffer | undefined>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree.set(path.slice(folder.length + 1), entry.isFile() ? await readFile(path) : undefined);
  }
  return tree;
}
