import type { SuspendableWriter } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";
import { BatchWriter, type WriteBudget } from "../../../program/batch-writer.ts";
import {
  flushFolder,
  isFile,
  type SoundFile,
  type SoundFiles,
  unless,
  unlessMissing,
} from "./sound-files.ts";
import { type SoundPath } from "./sound-path.ts";
import { deleteSounds, inFolder } from "./sound-folders.ts";

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

  /** Flushes and renames the file. Others may find the whole sound between the rename and the end of this call. */
  async finish(): Promise<void> {
    await this.#endAfter(async () => {
      const { part, finished } = this.#path;
      await this.#batches.finish();
      await this.#file.close();
      await this.#noticingDeletion(() => this.#files.rename(part, finished));
      try {
        await this.#flushName(finished);
      } catch (error) {
        await unlessMissing(() => this.#files.unlink(finished));
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

  /** Ends the writer even if the call fails. Its bytes then stay until the sound is resumed or deleted. */
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

/** The unfinished file of a sound, open for writing. */
export interface PartFile {
  readonly file: SoundFile;
  readonly storedBytes: number;
}

/**
 * Opens the unfinished file of a sound, or creates it.
 * @returns undefined if there is none to open, or if the key of a new one is in use, even by another process
 */
export async function openPart(
  files: SoundFiles,
  path: SoundPath,
  { isNew }: { readonly isNew: boolean },
): Promise<PartFile | undefined> {
  const file = isNew
    ? await createExclusively(files, path)
    : await unlessMissing(() => files.open(path.part, "r+"));
  if (file === undefined) return undefined;
  try {
    // Certain only now that this file is open: until then its last writer may have been about to rename it.
    if (!(await isFile(files, path.finished))) {
      return { file, storedBytes: isNew ? 0 : (await file.stat()).size };
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  if (isNew) await files.unlink(path.part);
  return undefined;
}

/** Creates an unfinished file. Returns undefined if it exists. */
async function createExclusively(
  files: SoundFiles,
  { folder, part }: SoundPath,
): Promise<SoundFile | undefined> {
  let file: SoundFile | undefined;
  await unless(["EEXIST"], async () => {
    file = await inFolder(files, folder, () => files.open(part, "wx", 0o600));
  });
  return file;
}
