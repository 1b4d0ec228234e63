import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IMPORTED_SAMPLES } from "../../../core/live-set/live-set-names.ts";
import type { SetAudio } from "../../../core/live-set/set-plan.ts";
import { clashKey, fileNameFor } from "../../../core/text/file-name.ts";
import { flushFolder } from "../../../program/flush-folder.ts";
import { flushAll, hasCode, lstatIfAny, unfinishedPath } from "../../disk/atomic-file.ts";
import { SoundFile } from "../../disk/sound-file.ts";
import { makeProject, writeSet } from "./live-set-file.ts";
import { readSetAudio } from "./set-audio.ts";

/**
 * A project with the sounds of its Set in it (rule LS11), while it is written: first the sounds, then the Set. Disposing
 * of an unfinished one removes what it has added.
 */
export class LiveSetProject implements AsyncDisposable {
  readonly #path: string;
  readonly #folder: string;
  readonly #samples: string;
  readonly #taken = new Set<string>();
  /** Removes each file and folder that it has made; the oldest is first. */
  readonly #made: (() => Promise<void>)[] = [];
  #isFinished = false;

  /** @param path of the Set, which is replaced; nothing is made before the first sound */
  constructor(path: string) {
    this.#path = path;
    this.#folder = dirname(path);
    this.#samples = join(this.#folder, IMPORTED_SAMPLES);
  }

  /**
   * Copies a WAV into the project, byte for byte. A file that is there with the same bytes is used, one with others stays.
   * @param name the sound's name, used for the file name
   * @throws {SoundFileError} when the file can't be read, or changes meanwhile
   * @throws {Refusal} when it isn't a usable WAV
   * @throws {ProjectInWayError}
   */
  async addSound(name: string, from: string, signal?: AbortSignal): Promise<SetAudio> {
    await using sound = await SoundFile.open(from);
    await this.#makeFolders();
    const unfinished = unfinishedPath(join(this.#samples, "import"));
    try {
      const digest = await copyTo(unfinished, sound, signal);
      const path = await this.#claim(name, digest);
      if ((await lstatIfAny(path)) === undefined) {
        await rename(unfinished, path);
        this.#made.push(() => rm(path, { force: true }));
      }
      return await readSetAudio(path, ["project", this.#folder]);
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  /** Writes the Set; what it refers to is on disk before it is. */
  async finish(text: string): Promise<void> {
    await flushFolder(this.#samples);
    await writeSet(this.#path, text);
    this.#isFinished = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFinished) return;
    for (const remove of this.#made.reverse()) await remove();
  }

  /** Makes the folders, and remembers those that weren't there. */
  async #makeFolders(): Promise<void> {
    if (this.#made.length > 0) return;
    const parts = ["Samples", IMPORTED_SAMPLES];
    const all = ["", "Ableton Project Info", ...parts].map((name) => join(this.#folder, name));
    const missing: string[] = [];
    for (const folder of all) if ((await lstatIfAny(folder)) === undefined) missing.push(folder);
    this.#made.push(...missing.map((folder) => () => removeIfEmpty(folder)));
    await makeProject(this.#path, ...parts);
  }

  /** Returns the path of a file with these bytes, or of one that isn't there yet. */
  async #claim(name: string, digest: string): Promise<string> {
    for (;;) {
      const fileName = fileNameFor(name, ".wav", (taken) => this.#taken.has(clashKey(taken)));
      this.#taken.add(clashKey(fileName));
      const path = join(this.#samples, fileName);
      const there = await lstatIfAny(path);
      if (there === undefined) return path;
      if (there.isFile() && (await digestOf(path)) === digest) return path;
    }
  }
}

/** Copies a sound with the time of its last change, and returns the digest of its bytes. */
async function copyTo(path: string, sound: SoundFile, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await rm(path, { force: true });
  await using file = await open(path, "wx", 0o644);
  for await (const piece of sound.pieces(signal)) {
    hash.update(piece);
    await file.writeFile(piece);
  }
  const modified = new Date(await sound.modifiedMs());
  await file.utimes(modified, modified);
  await flushAll(file);
  return hash.digest("hex");
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** Removes a folder in which nobody has put anything. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  });
}
