import { constants, type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { Refusal } from "../../core/protocol/refusal.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { WavFacts } from "../../core/live-set/set-audio.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { WavHeaderReader } from "../../core/audio/wav-header-reader.ts";

const PIECE_BYTES = 1024 ** 2;

/** A sound that can't be read; the message is a sentence without the file's path. */
export class SoundFileError extends Error {
  override readonly name = "SoundFileError";
}

/** Checks whether an error concerns one sound only. */
export function isOfTheSound(error: unknown): error is SoundFileError | Refusal {
  return error instanceof SoundFileError || error instanceof Refusal;
}

/** A WAV that is read once, from start to end with its header on the way, or as far as its header reaches. */
export class SoundFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #sizeBytes: number;
  readonly #reader: WavHeaderReader;

  private constructor(file: FileHandle, name: string, sizeBytes: number) {
    this.#file = file;
    this.#name = name;
    this.#sizeBytes = sizeBytes;
    this.#reader = new WavHeaderReader(sizeBytes, name);
  }

  /**
   * Opens a sound's file.
   * @throws {SoundFileError} when there is no file, or it can't be read
   */
  static async open(path: string): Promise<SoundFile> {
    const name = basename(path);
    // Opening a pipe would block until there is a writer.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    const file = await open(path, flags).catch((cause: unknown) => {
      throw unreadable(name, cause);
    });
    const found = await file.stat();
    if (found.isFile()) return new SoundFile(file, name, found.size);
    await file.close();
    throw unreadable(name);
  }

  /**
   * Yields the whole file; each piece reuses the buffer of the one before.
   * @throws {SoundFileError} when it can't be read, or its size has changed
   * @throws {Refusal} when it isn't a usable WAV
   */
  async *pieces(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const memory = new Uint8Array(Math.min(PIECE_BYTES, this.#sizeBytes));
    let offset = 0;
    while (offset < this.#sizeBytes) {
      signal?.throwIfAborted();
      const bytesRead = await this.#read(memory, offset);
      if (bytesRead === 0) throw this.#changed();
      const piece = memory.subarray(0, bytesRead);
      this.#reader.push(piece);
      offset += bytesRead;
      yield piece;
    }
    this.#reader.end();
    if ((await this.#file.stat()).size !== this.#sizeBytes) throw this.#changed();
  }

  /**
   * Reads what a project that refers to the file says of it.
   * @param startBytes the number of first bytes to return
   * @throws {SoundFileError} when it can't be read
   * @throws {Refusal} when it isn't a usable WAV
   */
  async readFacts(startBytes: number): Promise<WavFacts> {
    const readAt = async (offset: number, length: number): Promise<Uint8Array> => {
      const memory = new Uint8Array(Math.min(length, Math.max(0, this.#sizeBytes - offset)));
      return memory.subarray(0, await this.#read(memory, offset));
    };
    const header = await readWavHeaderAt(readAt, this.#sizeBytes, this.#name);
    const start = await readAt(0, startBytes);
    return {
      header,
      start,
      sizeBytes: this.#sizeBytes,
      modifiedMs: await this.modifiedMs(),
    };
  }

  /** Returns when the file was last changed, in milliseconds since 1970. */
  async modifiedMs(): Promise<number> {
    return (await this.#file.stat()).mtimeMs;
  }

  /** The header of the WAV; only after `pieces` is exhausted. */
  get header(): WavHeader {
    return this.#reader.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #read(memory: Uint8Array, offset: number): Promise<number> {
    const length = Math.min(memory.length, this.#sizeBytes - offset);
    try {
      return (await this.#file.read(memory, 0, length, offset)).bytesRead;
    } catch (cause) {
      throw unreadable(this.#name, cause);
    }
  }

  #changed(): SoundFileError {
    return new SoundFileError(`${this.#name} changed while it was read.`);
  }
}

function unreadable(name: string, cause?: unknown): SoundFileError {
  return new SoundFileError(`${name} can't be read.`, { cause });
}
