import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { DiskError } from "../addon/disk/disk-error.ts";
import { readerOf } from "../addon/disk/read-at.ts";
import { readLoopHints } from "../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../core/audio/read-wav-header-at.ts";
import { guessSound } from "../core/guess/guess-sound.ts";
import type { SoundGuess } from "../core/guess/sound-guess.ts";
import { formatUnreadable } from "../core/text/format-unreadable.ts";
import { Refusal } from "../core/protocol/refusal.ts";
import { Failure, WrongUse } from "./fail.ts";

/**
 * The WAV files of files and folders, in the order given; a folder's in the natural order of their names,
 * those of its folders too.
 * @throws {Failure | WrongUse} if a path is missing or is neither
 */
export async function findSounds(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(soundsAt));
  return found.flat();
}

async function soundsAt(path: string): Promise<readonly string[]> {
  const entry = await stat(path).catch((cause: unknown) => {
    throw new Failure(`${path} can't be found.`, { cause });
  });
  if (!entry.isDirectory()) {
    if (isWav(path)) return [path];
    throw new WrongUse(`${path} is not a WAV file.`);
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sounds = entries
    .filter((each) => each.isFile() && isWav(each.name) && !each.name.startsWith("."))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted(inNaturalOrder);
  if (sounds.length === 0) throw new Failure(`${path} has no WAV files.`);
  return sounds;
}

/** Checks whether a path has a WAV's ending. */
export function isWav(path: string): boolean {
  return /\.wav$/i.test(path);
}

/** `kick 2` before `kick 10`. */
export function inNaturalOrder(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/** The folders that count for a guess, from the file up. */
const FOLDERS = 2;

/**
 * Guesses what a WAV on disk is (rules Y1 to Y6).
 * @param packageBpm the tempo that a person has given for all
 * @throws {Failure} with a sentence if it can't be read; {Refusal} if it isn't a usable WAV
 */
export async function guessFile(path: string, packageBpm?: number): Promise<SoundGuess> {
  const file = await open(path).catch((cause: unknown) => {
    throw new Failure(formatUnreadable(cause, path), { cause });
  });
  try {
    const readAt = readerOf(file, path);
    const { size } = await file.stat();
    const { frames, sampleRateHz } = await readWavHeaderAt(readAt, size, basename(path));
    const hints = await readLoopHints(readAt, size);
    return guessSound({ ...namesOf(path), frames, sampleRateHz, hints, packageBpm });
  } catch (error) {
    throw error instanceof DiskError ? new Failure(error.message, { cause: error }) : error;
  } finally {
    await file.close();
  }
}

/** Guesses a sound whose file isn't a WAV that can be read, from its name alone. */
export function guessUnreadable(path: string): SoundGuess {
  return guessSound({ ...namesOf(path), frames: 0, sampleRateHz: 48_000, hints: {} });
}

/** Checks whether an error says that a file isn't a usable WAV. The relay refuses it with the same sentence. */
export function isUnusableWav(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

function namesOf(path: string): { readonly fileName: string; readonly folderName: string } {
  const folders = dirname(resolve(path)).split(sep).slice(-FOLDERS);
  return { fileName: basename(path), folderName: folders.join("/") };
}
