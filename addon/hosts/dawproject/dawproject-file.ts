import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { dawprojectName, UNFINISHED } from "../../../core/dawproject/dawproject-name.ts";
import { clashKey, fileNameFor } from "../../../core/text/file-name.ts";
import { flushFolder } from "../../../program/flush-folder.ts";
import { flushAll, unlessMissing } from "../../disk/atomic-file.ts";
import { formatMetadata, formatProject } from "../../../core/dawproject/format-project.ts";
import type { Project, ProjectAudio } from "../../../core/dawproject/project.ts";
import { SoundFile } from "./sound-file.ts";
import { StoredZip } from "./stored-zip.ts";

/** The finished file can't be renamed to its path; the message is a sentence without the path. */
export class PlaceTakenError extends Error {
  override readonly name = "PlaceTakenError";
}

/**
 * A DAWproject file while it is written: first the sounds, then the project, so that an unreadable sound is left
 * out. The file has a temporary name until the end (rule D7); disposing removes an unfinished one.
 */
export class DawprojectFile implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  /** The number that identifies the temporary file: another run may replace it. */
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
   * Opens a new temporary file in place of an earlier run's; a run that is still active fails when it finishes.
   * @param path of the finished file, which replaces an existing one
   */
  static async begin(path: string): Promise<DawprojectFile> {
    await rm(path + UNFINISHED, { force: true });
    const file = await open(path + UNFINISHED, "wx");
    return new DawprojectFile(path, file, (await file.stat({ bigint: true })).ino);
  }

  /**
   * Copies a WAV into the project. A failure leaves the project unchanged.
   * @param name the sound's name, used for the file name
   * @throws {SoundFileError} when the file can't be read, or changes meanwhile
   * @throws {Refusal} when it isn't a usable WAV
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
   * Writes the project, then flushes and renames the file.
   * @throws {PlaceTakenError} when another run writes the same file, or the existing one can't be replaced
   */
  async finish(project: Project): Promise<void> {
    await this.#zip.add("metadata.xml", [Buffer.from(formatMetadata(project))]);
    await this.#zip.add("project.xml", [Buffer.from(formatProject(project))]);
    await this.#zip.finish();
    await flushAll(this.#file);
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
    // Closing a closed handle is allowed.
    await this.#file.close();
    if (isOurs) await rm(this.#path + UNFINISHED, { force: true });
  }

  /** Checks whether the temporary file is still this one. */
  async #isInPlace(): Promise<boolean> {
    const found = await unlessMissing(stat(this.#path + UNFINISHED, { bigint: true }), undefined);
    return found?.ino === this.#inode;
  }
}

/** Returns the path of a folder's DAWproject file. */
export function dawprojectPath(
  folder: string,
  options?: { readonly withArrangement?: boolean },
): string {
  return join(folder, dawprojectName(basename(folder), options));
}
