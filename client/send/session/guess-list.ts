import { guessTitle, uniqueNames } from "../../../core/guess/guess-package-title.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { guessSounds, guessStem } from "../../../core/guess/guess-sounds.ts";
import { recordingAt } from "../../../core/guess/recording-tempo.ts";
import type { Recording } from "../../../core/guess/recording.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
import { choiceOf, type GroupAnswer, type SessionSound } from "./session-sound.ts";
import { BPM, numberOf } from "./typed-numbers.ts";

/** Files of one recording, such as the stems of a song (rule Y8). They have one tempo, or none. */
export interface SoundGroup extends Omit<Recording, "members"> {
  /** Keys of its sounds, in their order. */
  readonly members: readonly string[];
  /** The tempo at which they can play in time; null if nothing says one. `bpm` is null while they play as recorded. */
  readonly knownBpm: number | null;
}

/** The sounds of a session with their guesses, and the recordings among them. */
export interface GuessedList {
  readonly sounds: readonly SessionSound[];
  readonly groups: readonly SoundGroup[];
  /** The title that they suggest for their package; empty without sounds. */
  readonly suggestion: string;
}

/** Finds the recording that a sound belongs to. */
export function groupOf(
  { groups }: Pick<GuessedList, "groups">,
  key: string,
): SoundGroup | undefined {
  return groups.find(({ members }) => members.includes(key));
}

/**
 * Guesses all sounds of a session as one list, so that files of one recording get one grid, or none (rule G19).
 * @param packageBpm the tempo that a person or an app has given for the package
 */
export function guessList(
  sounds: readonly SessionSound[],
  packageBpm: number | undefined,
): GuessedList {
  const inputOf = (sound: SessionSound): GuessInput => guessInput(sound, packageBpm);
  let listed = sounds.filter(canBelong);
  let found = guessSounds(listed.map(inputOf));
  const clashing = clashesOf(listed, found.recordings);
  if (clashing.size > 0) {
    listed = listed.filter(({ key }) => !clashing.has(key));
    found = guessSounds(listed.map(inputOf));
  }
  const guesses = new Map(listed.map(({ key }, at) => [key, found.sounds[at]]));
  const answers = new Map<string, GroupAnswer | undefined>();
  const groups = found.recordings.map((recording): SoundGroup => {
    const members = recording.members.flatMap((at) => listed[at] ?? []);
    const answer = members.find((sound) => sound.answer !== undefined)?.answer;
    const timed = { ...recording, ...timingOf(recording, answer) };
    for (const { key } of members) {
      const guess = guesses.get(key);
      guesses.set(key, guess && guessStem({ guess, own: guess, recording: timed, title: "" }));
      answers.set(key, answer);
    }
    return { ...timed, members: members.map(({ key }) => key) };
  });
  const all = sounds.map((sound): SessionSound => {
    const own = guesses.get(sound.key) ?? guessSound(inputOf(sound));
    const guess = sound.fileName === "" ? { ...own, title: sound.guess.title } : own;
    return { ...sound, guess, answer: answers.get(sound.key) ?? sound.answer };
  });
  const named = withUniqueNames(all);
  const fileNames = named.map((sound) => sound.fileName || choiceOf(sound).name);
  const names = { folderName: sharedFolder(named), fileNames, recordings: found.recordings };
  return { sounds: named, groups, suggestion: named.length === 0 ? "" : guessTitle(names) };
}

/** A sound whose kind or length a person or an app has set is described on its own, and so is one without a name. */
function canBelong({ fileName, edits, answer }: SessionSound): boolean {
  const isDescribed = edits.kind !== undefined || edits.lengthBeats !== undefined;
  return fileName !== "" && !isDescribed && answer?.isSeparate !== true;
}

/** Returns the sounds whose tempo an app has set, and whose recording has another one. */
function clashesOf(
  sounds: readonly SessionSound[],
  recordings: readonly Recording[],
): ReadonlySet<string> {
  return new Set(
    recordings.flatMap(({ members, bpm }) =>
      members
        .flatMap((at) => sounds[at] ?? [])
        .filter(({ edits }) => edits.bpm !== undefined && numberOf(edits.bpm, BPM) !== bpm)
        .map(({ key }) => key),
    ),
  );
}

function timingOf(
  { seconds, bpm, lengthBeats }: Recording,
  answer: GroupAnswer | undefined,
): Pick<SoundGroup, "bpm" | "lengthBeats" | "knownBpm"> {
  const none = { bpm: null, lengthBeats: null };
  const typed = answer?.bpm === undefined ? { bpm, lengthBeats } : recordingAt(seconds, answer.bpm);
  const known = typed ?? none;
  return { ...(answer?.isAsRecorded === true ? none : known), knownBpm: known.bpm };
}

/** The last description of each sound. */
const described = new WeakMap<object, GuessInput>();

/**
 * Describes a sound for the guess; returns the same object until something changes. A tempo that an app has set for it
 * counts like the package's.
 */
export function guessInput(
  { fileName, folderName, header, hints, heard, edits }: Omit<SessionSound, "guess">,
  packageBpm: number | undefined,
): GuessInput {
  const input = {
    fileName,
    folderName: folderName ?? undefined,
    frames: header.frames,
    sampleRateHz: header.sampleRateHz,
    hints,
    heard,
    packageBpm: numberOf(edits.bpm ?? "", BPM) ?? packageBpm,
  };
  const last = described.get(header);
  if (last !== undefined && JSON.stringify(last) === JSON.stringify(input)) return last;
  described.set(header, input);
  return input;
}

/** Names that someone has set stay; a guessed one gives way. */
function withUniqueNames(sounds: readonly SessionSound[]): readonly SessionSound[] {
  const typed = sounds.filter(({ edits }) => edits.name !== undefined);
  const guessed = sounds.filter(({ edits }) => edits.name === undefined);
  const names = uniqueNames([...typed, ...guessed].map((sound) => choiceOf(sound).name));
  const nameOf = new Map(guessed.map(({ key }, at) => [key, names[typed.length + at]]));
  return sounds.map((sound) => {
    const title = nameOf.get(sound.key);
    return title === undefined ? sound : { ...sound, guess: { ...sound.guess, title } };
  });
}

/** Returns the innermost folder that holds all files; undefined if there is none, or if it is unknown. */
function sharedFolder(files: readonly Pick<SessionSound, "folderName">[]): string | undefined {
  const [first = [], ...others] = files.map(({ folderName }) => folderName?.split("/") ?? []);
  const end = first.findIndex((part, depth) => others.some((parts) => parts[depth] !== part));
  const shared = end === -1 ? first : first.slice(0, end);
  return shared.length === 0 ? undefined : shared.join("/");
}
