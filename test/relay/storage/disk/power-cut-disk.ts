import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskProcess } from "./disk-process.ts";
import { DurableTree, type Surviving } from "./durable-tree.ts";

/**
 * A real folder that remembers what was flushed: a file's bytes up to its last sync, and a folder's names up
 * to the last sync of the folder. A power cut puts it back to that.
 */
export class PowerCutDisk implements AsyncDisposable {
  readonly #tree: DurableTree;
  readonly #processes = new Set<DiskProcess>();

  private constructor(path: string) {
    this.#tree = new DurableTree(path);
  }

  static async create(): Promise<PowerCutDisk> {
    return new PowerCutDisk(await mkdtemp(join(tmpdir(), "soundferry-power-")));
  }

  get path(): string {
    return this.#tree.path;
  }

  /** How many calls were begun that can change what is there or what is durable. */
  get changes(): number {
    return this.#tree.changes;
  }

  /**
   * The disk as one process uses it. `before` runs before each of its calls: it can hold one up, or end the
   * process there.
   */
  process(before?: (call: string) => Promise<void> | void): DiskProcess {
    const process = new DiskProcess(this.#tree, before);
    this.#processes.add(process);
    return process;
  }

  /**
   * Ends every process and loses what was not flushed. A disk may make names durable sooner than it was
   * asked to, before the bytes: with "all names" every name survives, flushed or not.
   */
  async powerCut(survive: Surviving = "flushed names"): Promise<void> {
    await this.#endProcesses();
    await this.#tree.inTurn(async () => {
      for (const name of await readdir(this.path)) {
        await rm(join(this.path, name), { recursive: true });
      }
      await this.#tree.restore(survive);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endProcesses();
    await this.#tree.inTurn(() => rm(this.path, { recursive: true, force: true }));
  }

  async #endProcesses(): Promise<void> {
    for (const process of this.#processes) await process.end();
    this.#processes.clear();
  }
}
