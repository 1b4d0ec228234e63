import { guessSound } from "../../core/guess/guess-sound.ts";
import { guessSounds as guessAll, type SoundsGuess } from "../../core/guess/guess-sounds.ts";
import type { Heard } from "../../core/audio/listening/heard.ts";
import type { SoundGuess } from "../../core/guess/sound-guess.ts";
import type { LoopHints } from "../../core/audio/read-loop-hints.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";

/** Facts about a sound that its file doesn't contain. */
export interface GuessContext {
  /** The folders it lies in, such as `Pack/One Shots`. */
  readonly folderName?: string | undefined;
  /** The tempo that a person has given for the package. */
  readonly packageBpm?: number | undefined;
  /** The findings of `listen`; they answer only what the rest leaves open. */
  readonly heard?: Heard | undefined;
}

/**
 * Guesses what a sound is from its name, its file's hints and its length (rules Y1 to Y5). A part that can't be
 * guessed is null: ask a person.
 * @param name of its file, with or without extension
 * @param hints as `convert` found them
 * @param length the header that `convert` read has it
 */
export function guess(
  name: string,
  hints: LoopHints,
  { frames, sampleRateHz }: Pick<WavHeader, "frames" | "sampleRateHz">,
  context: GuessContext = {},
): SoundGuess {
  return guessSound({ fileName: name, hints, frames, sampleRateHz, ...context });
}

/** A sound of a list, with what is known about it. */
export interface NamedSound extends GuessContext {
  /** Name of its file, with or without extension. */
  readonly name: string;
  /** The hints that `convert` found in its file. */
  readonly hints: LoopHints;
  /** The header that `convert` read has both. */
  readonly header: Pick<WavHeader, "frames" | "sampleRateHz">;
}

/**
 * Guesses what the sounds of one package are. Files of one recording, such as the stems of a song, are guessed
 * together: all are loops with one tempo and one length, or all are one-shots that start together (rule Y8). Every
 * other sound is guessed as by `guess`.
 * @returns a guess for each sound, in the given order, and the recordings, whose `members` are positions in it
 */
export function guessSounds(sounds: readonly NamedSound[]): SoundsGuess {
  return guessAll(
    sounds.map(({ name, header: { frames, sampleRateHz }, ...known }) => ({
      fileName: name,
      frames,
      sampleRateHz,
      ...known,
    })),
  );
}
