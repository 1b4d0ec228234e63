import type { SuspendableWriter } from "../../domain/ports.ts";
import { BatchWriter } from "./batch-writer.ts";
import { deleteSounds } from "./delete-sounds.ts";
import { codeOf } from "../error-code.ts";
import { flushFolder, type SoundFile, type SoundFiles, unless } from "./sound-files.ts";
import type { SoundPath } from "./sound-path.ts";
import type { WriteBudget } from "./write-budget.ts";

interface DiskSound {
  readonly files: SoundFiles;
  readonly path: SoundPath;
  /** The unfinished file, open for writing. */
  readonly file: SoundFile;
  readonly storedBytes: number;
  readonly budget: WriteBudget;
}

/** The only writer of a sound in this process, until it ends. */
export class DiskSoundWriter implements SuspendableWriter {
  readonly #files: SoundFiles;
  readonly #path: SoundPath;
  readonly #file: SoundFile;
  readonly #batches: BatchWriter;
  readonly #leaveBudget: () => void;
  #hasEnded = false;

  constructor({ files, path, file, storedBytes, budget }: DiskSound) {
    this.#files = files;
    this.#path = path;
    this.#file = file;
    this.#batches = new BatchWriter(file, budget, storedBytes);
    this.#leaveBudget = budget.enter();
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    return this.#batches.write(piece);
  }

  /** Between the rename and its end others may find the sound already, whole. */
  async finish(): Promise<void> {
    await this.#endAfter(async () => {
      const { part, finished } = this.#path;
      await this.#batches.finish();
      await this.#file.close();
      await this.#noticingDeletion(() => this.#files.rename(part, finished));
      try {
        await this.#flushName(finished);
      } catch (error) {
        await unless(["ENOENT"], () => this.#files.unlink(finished));
        throw error;
      }
    });
  }

  async suspend(): Promise<number> {
    return this.#endAfter(async () => {
      await this.#batches.finish();
      await this.#flushName(this.#path.part);
      return this.#batches.writtenBytes;
    });
  }

  async discard(): Promise<void> {
    await this.#endAfter(async () => {
      // A failed write no longer matters; the file is deleted either way.
      await this.#batches.settle().catch(() => undefined);
      // Windows keeps the name of an open file.
      await this.#file.close();
      await deleteSounds(this.#files, this.#path.root, [this.#path.key]);
    });
  }

  /** Ends the writer also if the call fails. What it wrote then stays until it is resumed or deleted. */
  async #endAfter<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } finally {
      this.#end();
      await this.#file.close();
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#leaveBudget();
    this.#files.beingWritten.delete(this.#path.finished);
  }

  /** Makes a name durable. @throws {Error} if it has been deleted */
  async #flushName(name: string): Promise<void> {
    await this.#noticingDeletion(async () => {
      await flushFolder(this.#files, this.#path.folder);
      await flushFolder(this.#files, this.#path.root);
      await this.#files.stat(name);
    });
  }

  async #noticingDeletion(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new Error(`${this.#path.key} was deleted while it was written.`, { cause: error });
    }
  }
}
