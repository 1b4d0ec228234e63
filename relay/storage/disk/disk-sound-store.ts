import { dirname, join, resolve } from "node:path";
import type {
  AnnouncedBytes,
  ByteRange,
  ListingSoundStore,
  ResumedSound,
  ResumingSoundStore,
  SuspendableWriter,
} from "../../domain/ports.ts";
import { deleteSounds } from "./delete-sounds.ts";
import { DiskSoundWriter } from "./disk-sound-writer.ts";
import { namingFull } from "./naming-full.ts";
import { createPart, openPart, type PartFile } from "./part-file.ts";
import { readPieces } from "./read-pieces.ts";
import { flushFolder, isFile, NODE_FILES, type SoundFiles, unlessMissing } from "./sound-files.ts";
import { keyOfFile, type SoundPath, soundPath } from "./sound-path.ts";
import { throwAny, tryEach } from "./try-each.ts";
import { WriteBudget } from "./write-budget.ts";

const FOLDER = "sounds";

/**
 * Sounds as files `sounds/<package id>/<random>` in a data folder. A sound is written to a name that ends in
 * `.part`, flushed, and then renamed; it exists only after that (rule J1).
 *
 * Several processes may use one folder. Of those that create a key, one gets it. A sound has one writer per
 * process; that no other process resumes what this one is writing is up to the caller (see `lockFolder`).
 */
export class DiskSoundStore implements ListingSoundStore, ResumingSoundStore {
  readonly #root: string;
  readonly #files: SoundFiles;
  readonly #budget = new WriteBudget();

  private constructor(root: string, files: SoundFiles) {
    this.#root = root;
    this.#files = files;
  }

  /** Opens the store in a data folder, and creates both folders if need be. */
  static async open(dataFolder: string, files: SoundFiles = NODE_FILES): Promise<DiskSoundStore> {
    const root = join(resolve(dataFolder), FOLDER);
    const outermost = (await files.mkdir(root, { recursive: true, mode: 0o700 })) ?? root;
    let folder = root;
    do {
      folder = dirname(folder);
      await flushFolder(files, folder);
    } while (folder.length >= outermost.length);
    return new DiskSoundStore(root, files);
  }

  async create(key: string, _announced: AnnouncedBytes): Promise<SuspendableWriter> {
    const path = soundPath(this.#root, key);
    const sound = await namingFull(() =>
      this.#startWriter(path, () => createPart(this.#files, path)),
    );
    if (sound === undefined) throw new Error(`${key} is in use.`);
    return sound.writer;
  }

  /** After a power cut without `suspend`, the stored bytes may differ from those that were written. */
  async resume(key: string): Promise<ResumedSound | undefined> {
    const path = soundPath(this.#root, key);
    return this.#startWriter(path, () => openPart(this.#files, path));
  }

  async open(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { finished } = soundPath(this.#root, key);
    const file = await unlessMissing(() => this.#files.open(finished));
    return file && readPieces(file, range);
  }

  async exists(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const errors = await tryEach(keys, async (key) => {
      if (await isFile(this.#files, soundPath(this.#root, key).finished)) found.add(key);
    });
    throwAny(errors, "Some sounds could not be looked up.");
    return found;
  }

  async delete(keys: readonly string[]): Promise<void> {
    await deleteSounds(this.#files, this.#root, keys);
  }

  /** Skips anything that is not a sound: operating systems put their own files anywhere. */
  async *keys(): AsyncIterable<string> {
    for await (const folder of await this.#files.opendir(this.#root)) {
      if (!folder.isDirectory()) continue;
      const path = join(this.#root, folder.name);
      const names = (await unlessMissing(() => this.#files.readdir(path))) ?? [];
      const keys = new Set(names.map((name) => keyOfFile(folder.name, name)));
      for (const key of keys) if (key !== undefined) yield key;
    }
  }

  /** "unknown" where the file system reports no size, as some of those over a network do. */
  async room(): Promise<number | "unknown"> {
    const { bavail, blocks, bsize } = await this.#files.statfs(this.#root);
    return blocks > 0 ? bavail * bsize : "unknown";
  }

  /** Undefined if this process is writing the sound already, or if `startPart` finds no file to write. */
  async #startWriter(
    path: SoundPath,
    startPart: () => Promise<PartFile | undefined>,
  ): Promise<ResumedSound | undefined> {
    const { beingWritten } = this.#files;
    if (beingWritten.has(path.finished)) return undefined;
    beingWritten.add(path.finished);
    let sound: ResumedSound | undefined;
    try {
      const part = await startPart();
      sound = part && this.#continue(path, part);
      return sound;
    } finally {
      if (sound === undefined) beingWritten.delete(path.finished);
    }
  }

  #continue(path: SoundPath, { file, storedBytes }: PartFile): ResumedSound {
    const files = this.#files;
    return {
      storedBytes,
      read: () => readPart(files, path.part, storedBytes),
      writer: new DiskSoundWriter({ files, path, file, storedBytes, budget: this.#budget }),
    };
  }
}

async function* readPart(
  files: SoundFiles,
  part: string,
  storedBytes: number,
): AsyncGenerator<Uint8Array> {
  yield* await readPieces(await files.open(part), { start: 0, end: storedBytes - 1 });
}
