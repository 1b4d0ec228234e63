import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { repairWav } from "../client/audio/repair-wav.ts";
import { soundFile } from "../client/node/in-node.ts";
import { readerOf } from "../client/send/sound-bytes.ts";
import { readLoopHints } from "../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../core/audio/wav-header.ts";
import type { GuessInput } from "../core/guess/sound-guess.ts";
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

/** A sound on disk as it is sent. */
export interface LocalSound {
  /** The file on disk. */
  readonly original: File;
  /** A new WAV if the file had to be repaired (rule G17). */
  readonly source: File;
  /** Sentences on repairs, and on a part of the file that isn't used. */
  readonly notes: readonly string[];
}

/**
 * Opens a WAV on disk and repairs it if players read it and relays refuse it.
 * @throws {ClientError} with a sentence if it can't be read
 */
export async function openSound(path: string): Promise<LocalSound> {
  const original = await soundFile(path);
  const { sound, notes } = await repairWav(original);
  return {
    original,
    source: sound === original ? original : new File([sound], original.name),
    notes: notes.map(({ message }) => `${original.name}: ${message}`),
  };
}

/** The folders that count for a guess, from the file up. */
const FOLDERS = 2;

/** A sound to guess. */
export interface SoundToGuess {
  readonly source: File;
  /** null if it isn't a usable WAV: then only its name says something. */
  readonly header: WavHeader | null;
  readonly input: GuessInput;
}

/**
 * Reads what a guess about a WAV starts from.
 * @param path where it is on disk
 * @param packageBpm the tempo that a person has given for all
 * @throws {ClientError} with a sentence if it can't be read; {Refusal} if it isn't a usable WAV
 */
export async function readForGuess(
  path: string,
  source: File,
  packageBpm?: number,
): Promise<SoundToGuess> {
  const readAt = readerOf(source);
  const header = await readWavHeaderAt(readAt, source.size, source.name);
  const { frames, sampleRateHz } = header;
  const hints = await readLoopHints(readAt, source.size);
  const input = { ...namesOf(path), frames, sampleRateHz, hints, packageBpm };
  return { source, header, input };
}

/** Returns what the name of a file says that isn't a usable WAV. */
export function nameForGuess(path: string, source: File): SoundToGuess {
  const input = { ...namesOf(path), frames: 0, sampleRateHz: 48_000, hints: {} };
  return { source, header: null, input };
}

/** Checks whether an error says that a file isn't a usable WAV. The relay refuses it with the same sentence. */
export function isUnusableWav(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

function namesOf(path: string): { readonly fileName: string; readonly folderName: string } {
  const folders = dirname(resolve(path)).split(sep).slice(-FOLDERS);
  return { fileName: basename(path), folderName: folders.join("/") };
}
