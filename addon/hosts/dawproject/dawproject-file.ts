import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { clashKey, fileNameFor } from "../../../core/text/file-name.ts";
import { flushFolder, isMissing } from "../../disk/atomic-file.ts";
import { formatMetadata, formatProject } from "./format-project.ts";
import type { Project, ProjectAudio } from "./project.ts";
import { SoundFile } from "./sound-file.ts";
import { StoredZip } from "./stored-zip.ts";

/** What an unfinished file has behind its name. */
export const UNFINISHED = ".new";

/** The finished file can't get its place; the message is a sentence without the path. */
export class PlaceTakenError extends Error {
  override readonly name = "PlaceTakenError";
}

/**
 * A DAWproject file in the making: first the sounds, then what is done with them, so that a sound
 * that turns out unreadable is simply not in it. It is written beside its place and renamed in the end
 * (rule D7); what was not finished is removed when this is disposed of.
 */
export class DawprojectFile implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  /** Tells the file from one that another run put in its place. */
  readonly #inode: bigint;
  readonly #zip: StoredZip;
  readonly #names = new Set<string>();
  #isFinished = false;

  private constructor(path: string, file: FileHandle, inode: bigint) {
    this.#path = path;
    this.#file = file;
    this.#inode = inode;
    this.#zip = new StoredZip(file);
  }

  /**
   * @param path of the finished file; one that is there is replaced in the end. What an earlier run
   *   left unfinished is removed; one that is still at work finds out when it finishes.
   */
  static async begin(path: string): Promise<DawprojectFile> {
    await rm(path + UNFINISHED, { force: true });
    const file = await open(path + UNFINISHED, "wx");
    return new DawprojectFile(path, file, (await file.stat({ bigint: true })).ino);
  }

  /**
   * Copies a WAV into the project. Where that fails, the project is as before.
   * @param name what people call the sound; its file is named after it
   * @throws {SoundFileError} when the file can't be read, or changes meanwhile
   * @throws {Refusal} when it is no WAV that can be used
   * @throws {ZipTooLargeError}
   */
  async addSound(name: string, path: string, signal?: AbortSignal): Promise<ProjectAudio> {
    await using sound = await SoundFile.open(path);
    const fileName = fileNameFor(name, ".wav", (taken) => this.#names.has(clashKey(taken)));
    const inside = `audio/${fileName}`;
    await this.#zip.add(inside, sound.pieces(signal));
    this.#names.add(clashKey(fileName));
    const { frames, sampleRateHz, channels } = sound.header;
    return { path: inside, durationSeconds: frames / sampleRateHz, sampleRateHz, channels };
  }

  /**
   * Writes down what the project holds, and puts the file, flushed to the disk, in its place.
   * @throws {PlaceTakenError} when another run writes the same file, or what is there can't be replaced
   */
  async finish(project: Project): Promise<void> {
    await this.#zip.add("metadata.xml", [Buffer.from(formatMetadata(project))]);
    await this.#zip.add("project.xml", [Buffer.from(formatProject(project))]);
    await this.#zip.finish();
    await this.#file.sync();
    const isOurs = await this.#isInPlace();
    await this.#file.close();
    const name = basename(this.#path);
    if (!isOurs) throw new PlaceTakenError(`Another import is writing ${name} right now.`);
    await rename(this.#path + UNFINISHED, this.#path).catch(async (cause: unknown) => {
      const there = await stat(this.#path).catch(() => undefined);
      const why =
        there?.isDirectory() === true ? "it is a folder" : "another program may have it open";
      throw new PlaceTakenError(`${name} can't be replaced: ${why}.`, { cause });
    });
    this.#isFinished = true;
    await flushFolder(dirname(this.#path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFinished) return;
    const isOurs = await this.#isInPlace();
    // A handle that is closed already closes again without complaint.
    await this.#file.close();
    if (isOurs) await rm(this.#path + UNFINISHED, { force: true });
  }

  /** Whether the unfinished file is this one still. */
  async #isInPlace(): Promise<boolean> {
    try {
      return (await stat(this.#path + UNFINISHED, { bigint: true })).ino === this.#inode;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}
