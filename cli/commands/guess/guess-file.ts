import { open } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import { readerOf } from "../../../addon/disk/read-at.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { Failure } from "../../fail.ts";

/** The folders that count for a guess, from the file up. */
const FOLDERS = 2;

/**
 * Guesses what a WAV on disk is (rules Y1 to Y6).
 * @param packageBpm the tempo that a person has given for all
 * @throws {Failure} with a sentence if it can't be read; {Refusal} if it isn't a usable WAV
 */
export async function guessFile(path: string, packageBpm?: number): Promise<SoundGuess> {
  const file = await open(path).catch((cause: unknown) => {
    throw new Failure(`${path} can't be read.`, { cause });
  });
  try {
    const readAt = readerOf(file);
    const { size } = await file.stat();
    const { frames, sampleRateHz } = await readWavHeaderAt(readAt, size, basename(path));
    const hints = await readLoopHints(readAt, size);
    return guessSound({ ...namesOf(path), frames, sampleRateHz, hints, packageBpm });
  } finally {
    await file.close();
  }
}

/** Guesses a sound whose file isn't a WAV that can be read, from its name alone. */
export function guessUnreadable(path: string): SoundGuess {
  return guessSound({ ...namesOf(path), frames: 0, sampleRateHz: 48_000, hints: {} });
}

/** Whether an error says that a file is no usable WAV; the relay refuses such a file with the same sentence. */
export function isUnusableWav(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

function namesOf(path: string): { readonly fileName: string; readonly folderName: string } {
  const folders = dirname(resolve(path)).split(sep).slice(-FOLDERS);
  return { fileName: basename(path), folderName: folders.join("/") };
}
