import { dirname, join, resolve } from "node:path";
import {
  type AnnouncedBytes,
  type BoundSoundStore,
  type ByteRange,
  type QuarantinedSound,
  type QuarantiningSoundStore,
  type ResumedSound,
  type ResumingSoundStore,
  type StoredSound,
  StoreTroubleError,
  type SuspendableWriter,
} from "../../domain/ports.ts";
import { namingTrouble } from "../naming-trouble.ts";
import { WriteBudget } from "../../../program/batch-writer.ts";
import { DiskQuarantine } from "./disk-quarantine.ts";
import { DiskSoundWriter, openPart } from "./disk-sound-writer.ts";
import { readInstanceFile, writeInstanceFile } from "./instance-file.ts";
import {
  flushFolder,
  NODE_FILES,
  type SoundFile,
  type SoundFiles,
  unlessMissing,
} from "./sound-files.ts";
import { isKey, soundPath } from "./sound-path.ts";
import {
  deleteSounds,
  listFolders,
  listSounds,
  removeIfEmpty,
  unlinkFinished,
} from "./sound-folders.ts";
import { throwAny, tryEach } from "./try-each.ts";

const FOLDER = "sounds";

/**
 * Sounds as files `sounds/<package id>/<random>` in a data folder. A sound is written to a name that ends in `.part`,
 * flushed, and then renamed; it exists only after that (rule J1).
 *
 * Several processes may use one folder. If several create the same key, one of them gets it. A sound has one writer
 * per process; the caller makes sure that no other process resumes a sound that this one is writing (see
 * `lockFolder`).
 */
export class DiskSoundStore implements BoundSoundStore, ResumingSoundStore, QuarantiningSoundStore {
  readonly #root: string;
  readonly #files: SoundFiles;
  readonly #quarantine: DiskQuarantine;
  readonly #budget = new WriteBudget();

  private constructor(root: string, files: SoundFiles) {
    this.#root = root;
    this.#files = files;
    this.#quarantine = new DiskQuarantine(files, root);
  }

  /** Opens the store in a data folder, and creates both folders if necessary. */
  static async open(dataFolder: string, on: SoundFiles = NODE_FILES): Promise<DiskSoundStore> {
    const root = join(resolve(dataFolder), FOLDER);
    const files = namingTrouble(on, root);
    const outermost = (await files.mkdir(root, { recursive: true, mode: 0o700 })) ?? root;
    let folder = root;
    do {
      folder = dirname(folder);
      await flushFolder(files, folder);
    } while (folder.length >= outermost.length);
    return new DiskSoundStore(root, files);
  }

  /** Opens the store in a data folder as it is. Creates nothing, even if there is no store. */
  static openReadOnly(dataFolder: string, on: SoundFiles = NODE_FILES): DiskSoundStore {
    const root = join(resolve(dataFolder), FOLDER);
    const files = namingTrouble(on, root);
    const opendir: SoundFiles["opendir"] = async (path) =>
      (await unlessMissing(() => files.opendir(path))) ?? noEntries();
    return new DiskSoundStore(root, { ...files, opendir });
  }

  async create(key: string, _announced: AnnouncedBytes): Promise<SuspendableWriter> {
    const sound = await this.#startWriter(key, { isNew: true });
    if (sound === undefined) throw new Error(`${key} is in use.`);
    return sound.writer;
  }

  /** Resumes a sound. After a power cut without `suspend`, the stored bytes may differ from the written ones. */
  async resume(key: string): Promise<ResumedSound | undefined> {
    return this.#startWriter(key, { isNew: false });
  }

  async open(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { finished } = soundPath(this.#root, key);
    const file = await unlessMissing(() => this.#files.open(finished));
    return file && readWhole(file, range);
  }

  async sizes(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    const errors = await tryEach(keys, async (key) => {
      const { finished } = soundPath(this.#root, key);
      const stat = await unlessMissing(() => this.#files.stat(finished));
      if (stat?.isFile() === true) sizes.set(key, stat.size);
    });
    throwAny(errors, "Some sounds could not be looked up.");
    return sizes;
  }

  /** With `mayReturn`, unlinks finished files and leaves their folders, because removing one takes far longer. */
  async delete(
    keys: readonly string[],
    { mayReturn = false }: { readonly mayReturn?: boolean } = {},
  ): Promise<void> {
    if (mayReturn) return unlinkFinished(this.#files, this.#root, keys);
    const aside = () => this.#quarantine.delete(keys.filter(isKey));
    // Handles a sound that somebody quarantines or puts back meanwhile, in either direction.
    const steps = [aside, () => deleteSounds(this.#files, this.#root, keys), aside];
    const errors: unknown[] = [];
    for (const step of steps) await step().catch((error) => errors.push(error));
    throwAny(errors, "Some sounds could not be deleted.");
  }

  list(): AsyncIterable<StoredSound> {
    return listSounds(this.#files, this.#root);
  }

  async quarantine(keys: readonly string[], since: number | null): Promise<void> {
    await (since === null ? this.#quarantine.putBack(keys) : this.#quarantine.take(keys, since));
  }

  listQuarantined(packageId?: string): AsyncIterable<QuarantinedSound> {
    return this.#quarantine.list(packageId);
  }

  /** Removes empty folders. A sound that starts meanwhile creates its folder again. */
  async tidy(): Promise<void> {
    for await (const { path, isEmpty } of listFolders(this.#files, this.#root)) {
      if (isEmpty) await removeIfEmpty(this.#files, path);
    }
    await this.#quarantine.tidy();
  }

  async readInstance(): Promise<string | undefined> {
    return readInstanceFile(this.#files, this.#root);
  }

  async keepInstance(instanceId: string): Promise<void> {
    await writeInstanceFile(this.#files, this.#root, instanceId);
  }

  /** Returns the disk's free bytes, or "unknown": some network file systems report no size. */
  async room(): Promise<number | "unknown"> {
    const size = await unlessMissing(() => this.#files.statfs(this.#root));
    if (size === undefined) {
      const sentence = `${this.#root} is gone. Put it back and restart the relay.`;
      throw new StoreTroubleError(sentence, { code: "ENOENT" });
    }
    const { bavail, blocks, bsize } = size;
    return blocks > 0 ? bavail * bsize : "unknown";
  }

  /** Starts a writer. Returns undefined if the sound is being written, or as `openPart` does. */
  async #startWriter(
    key: string,
    which: { readonly isNew: boolean },
  ): Promise<ResumedSound | undefined> {
    const files = this.#files;
    const path = soundPath(this.#root, key);
    if (files.beingWritten.has(path.finished)) return undefined;
    files.beingWritten.add(path.finished);
    let writer: DiskSoundWriter | undefined;
    try {
      const part = await openPart(files, path, which);
      if (part === undefined) return undefined;
      writer = new DiskSoundWriter({ ...part, files, path, budget: this.#budget });
      const { storedBytes } = part;
      return { storedBytes, read: () => readPart(files, path.part, storedBytes), writer };
    } finally {
      if (writer === undefined) files.beingWritten.delete(path.finished);
    }
  }
}

async function* readPart(
  files: SoundFiles,
  part: string,
  storedBytes: number,
): AsyncGenerator<Uint8Array> {
  yield* await readPieces(await files.open(part), { start: 0, end: storedBytes - 1 });
}

async function* noEntries(): AsyncGenerator<never> {}

const PIECE_BYTES = 512 * 1024;

/**
 * Reads the bytes of a file from `start` to `end`, inclusive, in pieces of 512 KiB. Reads one piece ahead. Closes the
 * file at the end and when the reader stops early, even before the first piece.
 */
async function readPieces(file: SoundFile, range: ByteRange): Promise<AsyncIterable<Uint8Array>> {
  const pieces = generatePieces(file, range);
  // A generator that never ran skips its `finally`, so start it.
  await pieces.next();
  return pieces;
}

/** Reads a range as `readPieces` does. Closes the file and returns undefined if it ends before the range does. */
async function readWhole(
  file: SoundFile,
  range: ByteRange,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  let isWhole = false;
  try {
    isWhole = (await file.stat()).size > range.end;
  } finally {
    if (!isWhole) await file.close();
  }
  return isWhole ? readPieces(file, range) : undefined;
}

async function* generatePieces(
  file: SoundFile,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let position = start;
  const readNext = async (): Promise<Uint8Array> => {
    const length = Math.min(PIECE_BYTES, end + 1 - position);
    if (length <= 0) return new Uint8Array();
    const buffer = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  let nextPiece = Promise.resolve<Uint8Array>(new Uint8Array());
  try {
    yield nextPiece;
    nextPiece = readNext();
    for (let piece = await nextPiece; piece.byteLength > 0; piece = await nextPiece) {
      nextPiece = readNext();
      // It may fail while nobody awaits it; the next reader gets the error.
      nextPiece.catch(() => undefined);
      yield piece;
    }
  } finally {
    await nextPiece.catch(() => undefined);
    await file.close();
  }
}
