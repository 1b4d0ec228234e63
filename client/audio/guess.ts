import { guessSound } from "../../core/guess/guess-sound.ts";
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
