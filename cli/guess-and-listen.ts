import { readerOf } from "../client/send/sound-bytes.ts";
import { listen } from "../core/audio/listening/listen.ts";
import { isOpenGuess } from "../core/guess/apply-heard.ts";
import { guessSounds, type SoundsGuess } from "../core/guess/guess-sounds.ts";
import type { GuessInput } from "../core/guess/sound-guess.ts";
import type { SoundToGuess } from "./sound-files.ts";

/** Guesses what sounds are, and listens to those that names, lengths and chunks leave open (rule Y11). */
export async function guessAndListen(sounds: readonly SoundToGuess[]): Promise<SoundsGuess> {
  const inputs = sounds.map(({ input }) => input);
  const guesses = guessSounds(inputs);
  const heard: GuessInput[] = [];
  for (const [index, { source, header, input }] of sounds.entries()) {
    const guess = guesses.sounds[index];
    if (header === null || guess === undefined || !isOpenGuess(guess)) heard.push(input);
    else heard.push({ ...input, heard: await listen(readerOf(source), header) });
  }
  return heard.every((input, index) => input === inputs[index]) ? guesses : guessSounds(heard);
}
