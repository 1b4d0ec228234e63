import { mkdir, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { SoundFile } from "../../../../relay/storage/disk/sound-files.ts";

/** A file knows which of its bytes are durable, a folder which of its names. */
export type DiskNode = FileNode | FolderNode;

export class FileNode {
  durable = Buffer.alloc(0);
}

export class FolderNode {
  names = new Map<string, DiskNode>();
  durable = new Map<string, DiskNode>();
}

/** Which names survive a power cut. */
export type Surviving = "flushed names" | "all names";

/** What a folder holds, and what of that is durable. */
export class DurableTree {
  readonly path: string;
  /** How many calls were begun that can change what is there or what is durable. */
  changes = 0;
  #root = new FolderNode();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Calls run one after the other, so that what is remembered is what is there. */
  inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(act);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** What is remembered of an existing path. */
  nodeAt(path: string): DiskNode {
    let node: DiskNode = this.#root;
    for (const name of namesIn(relative(this.path, path))) {
      const next: DiskNode | undefined =
        node instanceof FolderNode ? node.names.get(name) : undefined;
      if (next === undefined) throw new Error(`Nothing is remembered of ${path}.`);
      node = next;
    }
    return node;
  }

  /** What is remembered of a folder; remembers it and those around it if they are new. */
  folderAt(path: string): FolderNode {
    let folder = this.#root;
    for (const name of namesIn(relative(this.path, path))) {
      const next = folder.names.get(name) ?? new FolderNode();
      if (!(next instanceof FolderNode)) throw new Error(`${path} leads through a file.`);
      folder.names.set(name, next);
      folder = next;
    }
    return folder;
  }

  /** Writes what survives into the folder, which is empty. */
  async restore(survive: Surviving): Promise<void> {
    this.#root = await restore(this.path, this.#root, survive);
  }
}

/** Makes durable what an open file or folder holds now. */
export async function remember(node: DiskNode, file: SoundFile): Promise<void> {
  if (node instanceof FolderNode) {
    node.durable = new Map(node.names);
    return;
  }
  const bytes = Buffer.alloc((await file.stat()).size);
  await file.read(bytes, 0, bytes.length, 0);
  node.durable = bytes;
}

/** Writes what survived of a folder into it. */
async function restore(path: string, folder: FolderNode, survive: Surviving): Promise<FolderNode> {
  const restored = new FolderNode();
  for (const [name, node] of survive === "all names" ? folder.names : folder.durable) {
    const at = join(path, name);
    if (node instanceof FolderNode) {
      await mkdir(at);
      restored.names.set(name, await restore(at, node, survive));
    } else {
      await writeFile(at, node.durable);
      restored.names.set(name, Object.assign(new FileNode(), { durable: node.durable }));
    }
  }
  restored.durable = new Map(restored.names);
  return restored;
}

function namesIn(path: string): string[] {
  return path === "" ? [] : path.split(sep);
}
