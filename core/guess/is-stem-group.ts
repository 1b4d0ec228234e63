import { guessSound } from "./guess-sound.ts";
import { exactTempo, secondsOf } from "./loop-lengths.ts";
import { readNumbers } from "./numbers-in-name.ts";
import { hasNote } from "./read-key.ts";
import {
  type NamedGroup,
  type OwnName,
  ownWords,
  splitName,
  stemsOf,
  textOf,
} from "./recording-names.ts";
import { isRound } from "./recording-tempo.ts";
import type { GuessInput } from "./sound-guess.ts";
import { SOUND_WORDS } from "./sound-words.ts";
import { isNumber, means } from "./stem-words.ts";
import { stemOf } from "./words-of-name.ts";

/** Numbers of a group's files by what their names are. */
interface NameCounts {
  readonly all: number;
  readonly stems: number;
  readonly versions: number;
  readonly channels: number;
  readonly takes: number;
  /** Files all of whose words are known. */
  readonly plain: number;
  /** Different names of instruments. */
  readonly kinds: number;
  /** Share of known words, of all names. */
  readonly known: number;
}

/** Up to this many beats at a tempo that each name says, equal files are loops of a kit. */
const KIT_BEATS = 64;
/** Sounds of a collection are cut to one length up to this one. */
const CUT_SECONDS = 120;

/**
 * Checks whether files of one length are parts of one recording: their own names must be different instruments, voices
 * or takes. Versions of a song, loops, and sounds that a collection has cut to one length are not (rule Y8).
 * @param inputs all sounds of the list
 */
export function isStemGroup(group: NamedGroup, inputs: readonly GuessInput[]): boolean {
  const files = group.names.flatMap(({ index }) => inputs[index] ?? []);
  const [first] = files;
  if (first === undefined || files.length < 2) return false;
  const seconds = secondsOf(first);
  if (isCollection(group, files, seconds) || areLoops(files)) return false;
  const counts = countNames(group.names);
  if (counts.versions >= counts.stems + counts.channels) return false;
  const isRoundLength = isRound(first);
  const isBars = (exactTempo(first, null)?.lengthBeats ?? Infinity) <= KIT_BEATS;
  const isCut = seconds <= CUT_SECONDS && (isRoundLength || isBars);
  const isTitled = group.title !== "";
  if (isCut && !hasLeadingPart(group.names)) return false;
  if (areChannels(counts)) return !isRoundLength && !isCut && counts.all > 2;
  if (counts.kinds < 2) return areTakes(counts, isCut, isTitled);
  return isTitled
    ? areTitledStems(counts, isRoundLength)
    : areStems(counts, isRoundLength || isBars);
}

function areTitledStems(
  { all, stems, channels, known, plain }: NameCounts,
  isRoundLength: boolean,
) {
  if (isRoundLength && plain * 2 < all) return false;
  return stems + channels >= all * 0.5 && known >= 0.5;
}

/** Checks names without a common title; a length that a collection may have been cut to asks for more. */
function areStems({ all, stems, channels, known, plain }: NameCounts, isMaybeCut: boolean) {
  if (all === 2) return plain === 2 && stems === 2;
  const [named, words, whole] = isMaybeCut ? [0.8, 0.8, 0.6] : [0.5, 0.6, 0.5];
  return stems + channels >= all * named && known >= words && plain >= all * whole;
}

/** Checks for drums, bass or a voice, unless nothing is known of the instruments. */
function hasLeadingPart(names: readonly OwnName[]): boolean {
  const roles = names.flatMap(stemsOf).flatMap((key) => SOUND_WORDS.get(key)?.role ?? []);
  return roles.length === 0 || roles.some((role) => LEADING.has(role));
}

const LEADING: ReadonlySet<string> = new Set(["drums", "bass", "vocal"]);

/** Checks for the names of a collection, such as a kit of loops, up to a length. */
function isCollection(
  { names, title }: NamedGroup,
  files: readonly GuessInput[],
  seconds: number,
): boolean {
  const loops = names.filter(({ words }) => words.some(({ key }) => LOOPS.has(key)));
  if (loops.length * 2 >= names.length) return true;
  const notes = names.filter((name) => hasNote(textOf(name, name.from, name.to)));
  if (notes.length * 2 >= names.length) return true;
  if (seconds >= CUT_SECONDS) return false;
  const around = [title, ...files.map(({ folderName = "" }) => folderName)].flatMap(splitName);
  const isOfSong = around.some(({ key }) => /^(?:stems?|multi.*)$/.test(key));
  return !isOfSong && around.some(({ key }) => means(key, "pack"));
}

const LOOPS = new Set(["loop", "loops", "oneshot", "oneshots"]);

/** Checks whether each file alone is the same loop of few whole bars, by a tempo that is written. */
function areLoops(files: readonly GuessInput[]): boolean {
  const guesses = files.map((file) => guessSound({ ...file, packageBpm: undefined }));
  const [first] = guesses;
  const { bpm = null, lengthBeats = null } = first ?? {};
  if (bpm === null || lengthBeats === null || lengthBeats > KIT_BEATS || lengthBeats % 4 !== 0) {
    return false;
  }
  return guesses.every((guess, index) => {
    const { fileName = "", folderName = "" } = files[index] ?? {};
    const tempi = [stemOf(fileName), folderName].flatMap((name) => readNumbers(name).tempos);
    const isWritten = tempi.some((tempo) => tempo.bpm === bpm);
    return isWritten && guess.bpm === bpm && guess.lengthBeats === lengthBeats;
  });
}

function countNames(names: readonly OwnName[]): NameCounts {
  const stemsByName = names.map(stemsOf);
  const complements = new Set(stemsByName.map((stems) => stems.join(" ")));
  const isStem = (name: OwnName, index: number) =>
    (stemsByName[index]?.length ?? 0) > 0 && !isVersion(name) && !isMinus(name, complements);
  const stems = names.filter(isStem);
  const versions = names.filter(
    (name, index) => !isStem(name, index) && (isVersion(name) || stemsByName[index]?.length !== 0),
  );
  const words = names.map((name) => ownWords(name).map(({ key }) => isKnown(key)));
  const all = words.flat();
  return {
    all: names.length,
    stems: stems.length,
    versions: versions.length,
    channels: names.filter(isChannel).length,
    takes: names.filter((name) => hasMeaning(name, "take")).length,
    plain: words.filter((known) => known.every(Boolean)).length,
    kinds: new Set(stems.map(kindOf)).size,
    known: all.filter(Boolean).length / Math.max(1, all.length),
  };
}

/** Returns the instruments of a name, and whether it is the rest without them. */
function kindOf(name: OwnName): string {
  const rest = ownWords(name).find(({ key }) => means(key, "minus"))?.key ?? "";
  return [rest, ...stemsOf(name)].join(" ");
}

function isKnown(key: string): boolean {
  return KNOWN.some((meaning) => means(key, meaning));
}

const KNOWN = ["stem", "detail", "take", "channel", "noise", "version", "minus"] as const;

function hasMeaning(name: OwnName, meaning: "take" | "version" | "always"): boolean {
  return ownWords(name).some(({ key }) => means(key, meaning));
}

/** Checks for a whole song: `Master 2`, `Piano Version`, `Vocal Up`. */
function isVersion(name: OwnName): boolean {
  if (hasMeaning(name, "always") || name.words.some(({ key }) => means(key, "always"))) return true;
  const own = ownWords(name);
  const isLouder = own.some(({ key }, at) => at > 0 && (key === "up" || key === "down"));
  return (stemsOf(name).length === 0 && hasMeaning(name, "version")) || isLouder;
}

/** Checks for a song without one instrument, unless the list has that instrument: `no vocals` beside `vocals`. */
function isMinus(name: OwnName, complements: ReadonlySet<string>): boolean {
  const own = ownWords(name);
  const isLeftOut = own.some(({ key }) => means(key, "minus"));
  const others = [...complements].filter((stems) => stems !== "");
  return isLeftOut && others.length !== 1;
}

/** Checks for an input of a recorder or a track of a program, such as `Tr1` or `Audio Track 2`. */
function isChannel(name: OwnName): boolean {
  const keys = ownWords(name).map(({ key }) => key);
  return (
    keys.some((key) => means(key, "channel")) &&
    keys.some(isNumber) &&
    keys.every((key) => means(key, "channel") || means(key, "detail"))
  );
}

function areChannels({ channels, stems, all, known }: NameCounts): boolean {
  return channels > 1 && channels > stems && (channels + stems) * 5 >= all * 3 && known >= 0.8;
}

/** Checks for tries or layers of one part. */
function areTakes(counts: NameCounts, isCut: boolean, isTitled: boolean): boolean {
  const { all, stems, takes, known } = counts;
  if (isCut || stems * 5 < all * 4 || known < 0.6) return false;
  return takes >= all - 1 || isTitled;
}
