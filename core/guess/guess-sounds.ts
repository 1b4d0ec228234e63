import type { Translate } from "../messages/translate.ts";
import { inEnglish } from "../messages/translate.ts";
import { findRecordings, folderOfInstruments } from "./find-recordings.ts";
import { guessSound } from "./guess-sound.ts";
import type { Recording } from "./recording.ts";
import { formatReasons, type GuessInput, type SoundGuess } from "./sound-guess.ts";

/** Guesses about sounds that are added together. */
export interface SoundsGuess {
  /** One for each sound, in the given order. */
  readonly sounds: readonly SoundGuess[];
  /** Groups of sounds that belong together; a sound is in one of them at most. */
  readonly recordings: readonly Recording[];
}

/**
 * Guesses what sounds are (rules Y1 to Y9). Files of one recording, such as the stems of a song, get one kind, tempo
 * and length, and titles without the one that they share. Each other sound has its own guess.
 */
export function guessSounds(inputs: readonly GuessInput[]): SoundsGuess {
  const sounds = inputs.map(guessOnce);
  const found = findRecordings(inputs);
  for (const { recording, titles } of found) {
    for (const [index, member] of recording.members.entries()) {
      const guess = sounds[member];
      const input = inputs[member];
      if (guess === undefined || input === undefined) continue;
      const title = titles[index] ?? "";
      const own = title === "" ? guess : guessSound(ownInput(input, title));
      sounds[member] = guessStem({ guess, own, recording, title });
    }
  }
  return { sounds, recordings: found.map(({ recording }) => recording) };
}

/** A list that grows sound by sound is guessed again at each one. */
const known = new WeakMap<GuessInput, SoundGuess>();

function guessOnce(input: GuessInput): SoundGuess {
  const guess = known.get(input) ?? guessSound(input);
  known.set(input, guess);
  return guess;
}

/** Returns a file without the title of its song, whose words are no instruments. */
function ownInput(input: GuessInput, fileName: string): GuessInput {
  return { ...input, fileName, folderName: folderOfInstruments(input.folderName ?? "") };
}

/** The parts of a guess about a file of a recording. */
interface StemClues {
  readonly guess: SoundGuess;
  /** The guess from the file's own title. */
  readonly own: SoundGuess;
  readonly recording: Recording;
  /** The file's own title; empty to keep that of the guess. */
  readonly title: string;
}

/** Returns the guess about a file of a recording: a loop at its tempo, else a one-shot that starts with the others. */
export function guessStem({ guess, own, recording, title }: StemClues): SoundGuess {
  const { title: text, bpm, lengthBeats, members } = recording;
  const reasons = [
    bpm === null
      ? { key: "guess.stem_as_recorded" as const, text, count: members.length }
      : { key: "guess.stem_in_time" as const, text, count: members.length, bpm },
  ];
  return {
    ...guess,
    title: title === "" ? guess.title : title,
    role: own.role,
    kind: bpm === null ? "oneshot" : "loop",
    bpm,
    lengthBeats,
    likely: null,
    confidence: {
      ...guess.confidence,
      kind: 0.95,
      bpm: bpm === null ? 0 : 0.95,
      role: own.confidence.role,
    },
    because: formatReasons(inEnglish, reasons),
    reasons,
  };
}

/** A recording as far as its line needs it. */
type ShownRecording = Pick<Recording, "title" | "seconds" | "bpm"> & {
  readonly members: ArrayLike<unknown>;
};

/** Formats a recording as one line, such as `7 stems of Neon Rain, 180 s: in time at 97 BPM`. */
export function formatRecording(t: Translate, recording: ShownRecording): string {
  const { title, bpm, members } = recording;
  const params = { count: members.length, title, seconds: Math.round(recording.seconds) };
  return bpm === null
    ? t("recording.as_recorded", params)
    : t("recording.in_time", { ...params, bpm });
}
