import type { SuspendableWriter } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";
import { BatchWriter, type WriteBudget } from "./batch-writer.ts";
import {
  flushFolder,
  isFile,
  type SoundFile,
  type SoundFiles,
  type SoundPath,
  unless,
  unlessMissing,
} from "./sound-files.ts";
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

/** Creates the unfinished file of a sound. Returns undefined if its key is in use, even by another process. */
export async function createPart(
  files: SoundFiles,
  path: SoundPath,
): Promise<PartFile | undefined> {
  const file = await createExclusively(files, path);
  if (file === undefined) return undefined;
  const part = await unlessFinished(files, path, { file, countBytes: async () => 0 });
  if (part === undefined) await files.unlink(path.part);
  return part;
}

/** Opens the unfinished file of a sound. Returns undefined if there is none. */
export async function openPart(files: SoundFiles, path: SoundPath): Promise<PartFile | undefined> {
  const file = await unlessMissing(() => files.open(path.part, "r+"));
  if (file === undefined) return undefined;
  return unlessFinished(files, path, { file, countBytes: async () => (await file.stat()).size });
}

/** Creates an unfinished file. Returns undefined if it exists. */
async function createExclusively(
  files: SoundFiles,
  { folder, part }: SoundPath,
): Promise<SoundFile | undefined> {
  return inFolder(files, folder, async () => {
    try {
      return await files.open(part, "wx", 0o600);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return undefined;
    }
  });
}

/**
 * Closes the file and returns undefined if its sound is finished. The answer is certain only after the unfinished
 * file is open: until then its last writer may have been about to rename it.
 */
async function unlessFinished(
  files: SoundFiles,
  path: SoundPath,
  opened: { readonly file: SoundFile; readonly countBytes: () => Promise<number> },
): Promise<PartFile | undefined> {
  const { file, countBytes } = opened;
  let part: PartFile | undefined;
  try {
    const isFinished = await isFile(files, path.finished);
    if (!isFinished) part = { file, storedBytes: await countBytes() };
    return part;
  } finally {
    if (part === undefined) await file.close();
  }
}
