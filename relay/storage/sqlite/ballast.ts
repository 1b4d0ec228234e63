import { randomBytes } from "node:crypto";
import { rmSync, unlinkSync } from "node:fs";
import { type FileHandle, open, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Ballast } from "../../domain/ports.ts";
import { codeOf, isDiskFull } from "../error-codes.ts";
import { Listeners } from "../listeners.ts";

const FILE = "ballast";
const PIECE_BYTES = 1024 ** 2;
const random = promisify(randomBytes);

export interface BallastOptions {
  /** Size of the ballast; 0 for none. */
  readonly ballastBytes: number;
  /** Number of bytes that must stay free besides. */
  readonly minFreeBytes: number;
}

/** Deletes a folder's ballast, finished or not, to make room for the database. Returns false if there was none. */
export function releaseBallast(folder: string): boolean {
  try {
    rmSync(unfinished(folder), { force: true });
    unlinkSync(join(folder, FILE));
    return true;
  } catch {
    // Nothing was gained. The next write reports that the disk is full.
    return false;
  }
}

/**
 * The ballast, a file of random bytes in the data folder: zeros would take no space on a disk that compresses. It
 * gets its name when it is whole, so that a crash leaves no partial ballast under that name. The thread that writes
 * the database may release it at any time.
 */
export class FileBallast implements Ballast {
  readonly #folder: string;
  readonly #options: BallastOptions;
  readonly #watchers = new Listeners();
  #wasReleased = false;
  #refilling: Promise<boolean> | undefined;

  constructor(folder: string, options: BallastOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  watch(onFull: () => void): () => void {
    return this.#watchers.add(onFull);
  }

  /** Notifies the watchers that the writing thread met a full disk and released the ballast. */
  noteFull(): void {
    this.#wasReleased = true;
    this.#watchers.call();
  }

  refill(): Promise<boolean> {
    this.#refilling ??= this.#refillOnce().finally(() => (this.#refilling = undefined));
    return this.#refilling;
  }

  async #refillOnce(): Promise<boolean> {
    const { ballastBytes } = this.#options;
    const path = join(this.#folder, FILE);
    const size = await sizeOf(path);
    if (size === ballastBytes) return true;
    // The ballast has another size if the setting was changed.
    await rm(path, { force: true });
    if (ballastBytes === 0 && !this.#wasReleased) return true;
    if (!(await this.#hasRoom())) return false;
    this.#wasReleased = false;
    const isMade = ballastBytes === 0 || (await this.#make(path));
    return isMade && !this.#wasReleased;
  }

  /** Checks whether the disk has room for the ballast twice, so that the next few changes don't release it again. */
  async #hasRoom(): Promise<boolean> {
    const { ballastBytes, minFreeBytes } = this.#options;
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    // Some file systems report no size.
    return blocks === 0 || bavail * bsize > minFreeBytes + 2 * ballastBytes;
  }

  /** Creates the ballast. Returns false if the disk has no room after all, or if it was released meanwhile. */
  async #make(path: string): Promise<boolean> {
    const unfinishedPath = unfinished(this.#folder);
    try {
      await using file = await open(unfinishedPath, "w", 0o600);
      await fill(file, this.#options.ballastBytes);
      await file.sync();
      await rename(unfinishedPath, path);
      return true;
    } catch (error) {
      await rm(unfinishedPath, { force: true });
      if (isDiskFull(error) || codeOf(error) === "ENOENT") return false;
      throw error;
    }
  }
}

async function fill(file: FileHandle, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= PIECE_BYTES) {
    await file.writeFile(await random(Math.min(left, PIECE_BYTES)));
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unfinished(folder: string): string {
  return join(folder, `${FILE}.new`);
}
