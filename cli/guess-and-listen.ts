import { readPiece } from "../client/send/sound-bytes.ts";
import { listen } from "../core/audio/listening/listen.ts";
import { readWavHeaderAt } from "../core/audio/read-wav-header-at.ts";
import { isOpenGuess } from "../core/guess/apply-heard.ts";
import { guessSounds, type SoundsGuess } from "../core/guess/guess-sounds.ts";
import type { GuessInput } from "../core/guess/sound-guess.ts";

/** A sound to guess. */
interface SoundToGuess {
  readonly source: File;
  readonly input: GuessInput;
}

/** Guesses what sounds are, and listens to those that names, lengths and chunks leave open (rule Y11). */
export async function guessAndListen(sounds: readonly SoundToGuess[]): Promise<SoundsGuess> {
  const inputs = sounds.map(({ input }) => input);
  const guesses = guessSounds(inputs);
  const heard: GuessInput[] = [];
  for (const [index, { source, input }] of sounds.entries()) {
    const guess = guesses.sounds[index];
    // A file that isn't a usable WAV has no frames.
    const isOpen = guess !== undefined && isOpenGuess(guess) && input.frames > 0;
    heard.push(isOpen ? await withHeard(source, input) : input);
  }
  return heard.every((input, index) => input === inputs[index]) ? guesses : guessSounds(heard);
}

async function withHeard(source: File, input: GuessInput): Promise<GuessInput> {
  const readAt = (offset: number, length: number) => readPiece(source, offset, length);
  const header = await readWavHeaderAt(readAt, source.size, source.name);
  return { ...input, heard: await listen(readAt, header) };
}
