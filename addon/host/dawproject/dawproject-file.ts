import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { clashKey, fileNameFor } from "../../../core/text/file-name.ts";
import { readWavHeaderAt } from "../../../core/wav/read-wav-header-at.ts";
import { flushFolder } from "../../atomic-file.ts";
import { printMetadata, printProject } from "./print-project.ts";
import type { Project, ProjectAudio } from "./project.ts";
import { StoredZip } from "./stored-zip.ts";

/** How much of a sound is in memory at once. */
const PIECE_BYTES = 1_048_576;
/** What an unfinished file has behind its name. */
export const UNFINISHED = ".new";

/** A sound that can't be read; the message is a sentence without the file's path. */
export class SoundFileError extends Error {
  override readonly name = "SoundFileError";
}

/**
 * A DAWproject file in the making: first the sounds, then what is done with them, so that a sound
 * that turns out unreadable is simply not in it. It is written beside its place and renamed in the end
 * (rule D7); what was not finished is removed when this is disposed of.
 */
export class DawprojectFile implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #zip: StoredZip;
  readonly #names = new Set<string>();
  #isFinished = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#zip = new StoredZip(file);
  }

  /** @param path of the finished file; one that is there is replaced in the end. One writer at a time. */
  static async begin(path: string): Promise<DawprojectFile> {
    return new DawprojectFile(path, await open(path + UNFINISHED, "w"));
  }

  /**
   * Copies a WAV into the project. Where that fails, the project is as before.
   * @param name what people call the sound; its file is named after it
   * @throws {SoundFileError} when the file can't be read
   * @throws {Refusal} when it is no WAV that can be used
   * @throws {ZipTooLargeError}
   */
  async addSound(name: string, path: string, signal?: AbortSignal): Promise<ProjectAudio> {
    const sound = await openSound(path);
    try {
      const { size } = await sound.stat();
      const header = await readWavHeaderAt(
        (offset, length) => readAt(sound, offset, length),
        size,
        basename(path),
      );
      const fileName = fileNameFor(name, ".wav", (taken) => this.#names.has(clashKey(taken)));
      const inside = `audio/${fileName}`;
      await this.#zip.add(inside, piecesOf(sound, basename(path), signal));
      this.#names.add(clashKey(fileName));
      return {
        path: inside,
        durationSeconds: header.frames / header.sampleRateHz,
        sampleRateHz: header.sampleRateHz,
        channels: header.channels,
      };
    } finally {
      await sound.close();
    }
  }

  /** Writes down what the project holds, and puts the file, flushed to the disk, in its place. */
  async finish(project: Project): Promise<void> {
    await this.#zip.add("metadata.xml", [Buffer.from(printMetadata(project))]);
    await this.#zip.add("project.xml", [Buffer.from(printProject(project))]);
    await this.#zip.finish();
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#path + UNFINISHED, this.#path);
    this.#isFinished = true;
    await flushFolder(dirname(this.#path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFinished) return;
    // A handle that is closed already closes again without complaint.
    await this.#file.close();
    await rm(this.#path + UNFINISHED, { force: true });
  }
}

async function openSound(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((cause: unknown) => {
    throw unreadable(basename(path), cause);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw unreadable(basename(path));
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** The whole file; each piece stands in the memory of the one before. */
async function* piecesOf(
  file: FileHandle,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(PIECE_BYTES);
  let offset = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file
      .read(memory, 0, memory.length, offset)
      .catch((cause: unknown) => {
        throw unreadable(name, cause);
      });
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield memory.subarray(0, bytesRead);
  }
}

function unreadable(name: string, cause?: unknown): SoundFileError {
  return new SoundFileError(`${name} can't be read.`, { cause });
}
