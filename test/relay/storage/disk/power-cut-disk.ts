import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskProcess, SharedFolder } from "./disk-process.ts";
import { RecordedDisk, type Survival, writeTree } from "../../../sim/recorded-disk.ts";

/**
 * A real folder that remembers what was flushed: a file's bytes up to its last sync, and a folder's names up
 * to the last sync of the folder. A power cut puts it back to that.
 */
export class PowerCutDisk implements AsyncDisposable {
  readonly #folder: SharedFolder;
  readonly #processes = new Set<DiskProcess>();

  private constructor(path: string) {
    this.#folder = new SharedFolder(path);
  }

  static async create(): Promise<PowerCutDisk> {
    return new PowerCutDisk(await mkdtemp(join(tmpdir(), "soundferry-power-")));
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Number of calls that were begun and can change files, or what of them is durable. */
  get changes(): number {
    return this.#folder.changes;
  }

  /**
   * The disk as one process uses it. `before` runs before each of its calls: it can hold one up, or end the
   * process there.
   */
  process(before?: (call: string) => Promise<void> | void): DiskProcess {
    const process = new DiskProcess(this.#folder, before);
    this.#processes.add(process);
    return process;
  }

  /**
   * Ends every process and loses what was not flushed. A disk may make names durable sooner than it was
   * asked to, before the bytes: with "all" every name survives, flushed or not.
   */
  async powerCut(names: Survival["names"] = "flushed"): Promise<void> {
    await this.#endProcesses();
    await this.#folder.inTurn(async () => {
      const tree = this.#folder.recorded.afterCut({ names, bytes: "flushed" });
      await writeTree(this.path, tree);
      this.#folder.recorded = RecordedDisk.of(tree);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endProcesses();
    await this.#folder.inTurn(() => rm(this.path, { recursive: true, force: true }));
  }

  async #endProcesses(): Promise<void> {
    for (const process of this.#processes) await process.end();
    this.#processes.clear();
  }
}
