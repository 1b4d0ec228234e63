import { mkdir, open, opendir, rename, rmdir, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type SoundStore, type SoundWriter, StoreFullError } from "../../domain/ports.ts";
import { BatchWriter } from "./batch-writer.ts";
import { readPieces } from "./read-pieces.ts";
import { WriteBudget } from "./write-budget.ts";

const FOLDER = "sounds";
/** The suffix of an unfinished file. */
const PART = ".part";
/** How often to create a folder that is removed while a new sound is opened. */
const MOST_TRIES = 100;
const KEY = /^[\w-]+\/[\w-]+$/;
const KEY_OR_PART = /^[\w-]+\/[\w-]+(\.part)?$/;

/**
 * Sounds as files `sounds/<package id>/<random>` in a data folder. A sound is written to a name that ends in
 * `.part`, flushed, and then renamed; it exists only after that.
 */
export class DiskSoundStore implements SoundStore {
  readonly #folder: string;
  readonly #budget = new WriteBudget();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the store in an existing data folder. */
  static async open(dataFolder: string): Promise<DiskSoundStore> {
    const folder = join(dataFolder, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await flushFolder(dataFolder);
    return new DiskSoundStore(folder);
  }

  async create(key: string): Promise<SoundWriter> {
    const path = this.#pathOf(key);
    const file = await namingFull(() => this.#openPart(path));
    const leave = this.#budget.enter();
    const writer = new BatchWriter(file, this.#budget);
    return {
      write: (piece) => {
        const room = writer.write(piece);
        return room && namingFull(() => room);
      },
      finish: () =>
        namingFull(async () => {
          await writer.finish();
          await file.close();
          await rename(path + PART, path);
          await flushFolder(dirname(path));
          await flushFolder(this.#folder);
          leave();
        }),
      discard: async () => {
        leave();
        // A failed write no longer matters; the file is deleted either way.
        await writer.settle().catch(() => undefined);
        await file.close();
        await this.delete([key + PART, key]);
      },
    };
  }

  async open(
    key: string,
    range: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      return await readPieces(await open(this.#pathOf(key)), range);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** An open file stays readable after its name is deleted, so running reads are safe. */
  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const path = this.#pathOf(key, KEY_OR_PART);
      await ignoring(["ENOENT"], () => unlink(path));
      await ignoring(["ENOENT", "ENOTEMPTY", "EEXIST", "EPERM"], () => rmdir(dirname(path)));
    }
  }

  /** Skips anything that is not a sound: operating systems put their own files anywhere. */
  async *keys(): AsyncIterable<string> {
    for await (const folder of await opendir(this.#folder)) {
      if (!folder.isDirectory()) continue;
      for await (const file of await opendir(join(this.#folder, folder.name))) {
        const key = `${folder.name}/${file.name}`;
        if (KEY_OR_PART.test(key)) yield key;
      }
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #pathOf(key: string, pattern = KEY): string {
    if (!pattern.test(key)) throw new Error(`Not a key of a sound: ${key}`);
    return join(this.#folder, key);
  }

  /** A concurrent delete may remove the empty folder before the file is in it; then creates it again. */
  async #openPart(path: string) {
    for (let tries = 1; ; tries += 1) {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        return await open(path + PART, "wx", 0o600);
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || tries === MOST_TRIES) throw error;
      }
    }
  }
}

/** Makes the names in a folder durable. Windows has no such call and does so automatically. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namingFull<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (["ENOSPC", "EDQUOT"].includes(codeOf(error))) {
      throw new StoreFullError("The disk of the sound store is full.", { cause: error });
    }
    throw error;
  }
}

async function ignoring(codes: readonly string[], act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!codes.includes(codeOf(error))) throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
