import { cleanName, cleanTitle } from "../text/clean-text.ts";
import { groupBy } from "./group-by.ts";
import { isPlace, UNTITLED } from "./guess-package-title.ts";
import { spaced, tidy } from "./guess-title.ts";
import { isStemGroup } from "./is-stem-group.ts";
import { secondsOf } from "./loop-lengths.ts";
import {
  groupNames,
  type NamedGroup,
  type NameWord,
  splitName,
  textOf,
  withoutTempo,
} from "./recording-names.ts";
import { findRecordingTempo } from "./recording-tempo.ts";
import { RECORDING_BUFFER_FRAMES, RECORDING_MIN_SECONDS, type Recording } from "./recording.ts";
import type { GuessInput } from "./sound-guess.ts";
import { means } from "./stem-words.ts";

/** A recording with the titles of its files. */
export interface FoundRecording {
  readonly recording: Recording;
  /** One for each member, without what all have in common, such as `Drums`; empty if nothing is left. */
  readonly titles: readonly string[];
}

/** Finds the files that belong together, such as the stems of a song (rule Y8). */
export function findRecordings(inputs: readonly GuessInput[]): readonly FoundRecording[] {
  const long = inputs.flatMap((input, index) =>
    secondsOf(input) >= RECORDING_MIN_SECONDS ? [index] : [],
  );
  const folders = groupBy(long, (index) => folderOfSong(inputs[index]?.folderName ?? ""));
  return [...folders.values()]
    .flatMap((indexes) => byLength(indexes, inputs))
    .flatMap((indexes) => groupNames(indexes.map((at) => [at, inputs[at]?.fileName ?? ""])))
    .filter((group) => isStemGroup(group, inputs))
    .map((group) => describe(group, inputs));
}

/** Returns a folder without a last part such as `Drums`, which only sorts the stems of the one around it. */
function folderOfSong(folder: string): string {
  const parts = folder.split(/[/\\]/);
  const isSorted = folderOfInstruments(folder) !== "" && parts.length > 1;
  return isSorted ? parts.slice(0, -1).join("/") : folder;
}

/** Returns the last part of a folder if it only names instruments, such as `Drums`; else an empty text. */
export function folderOfInstruments(folder: string): string {
  const last = folder.split(/[/\\]/).at(-1) ?? "";
  return isPartOfSong(splitName(last)) ? last : "";
}

/** Checks for a name of instruments alone, such as `Kick and Bass`. */
function isPartOfSong(words: readonly NameWord[]): boolean {
  const isOfStems = words.every(({ key }) => means(key, "stem") || means(key, "detail"));
  return isOfStems && words.some(({ key }) => means(key, "stem"));
}

/** Groups sounds that have the same length, within one buffer. */
function byLength(
  indexes: readonly number[],
  inputs: readonly GuessInput[],
): readonly (readonly number[])[] {
  const lengthOf = (index: number): number => {
    const input = inputs[index];
    return input === undefined ? 0 : secondsOf(input);
  };
  const groups: number[][] = [];
  for (const index of indexes.toSorted((one, other) => lengthOf(one) - lengthOf(other))) {
    const group = groups.at(-1);
    // Half a frame is for rounding.
    const buffer = (RECORDING_BUFFER_FRAMES + 0.5) / (inputs[index]?.sampleRateHz ?? 1);
    const isNear = group !== undefined && lengthOf(index) - lengthOf(group[0] ?? 0) <= buffer;
    if (isNear) group.push(index);
    else groups.push([index]);
  }
  return groups
    .filter(({ length }) => length > 1)
    .map((group) => group.toSorted((one, other) => one - other));
}

function describe({ title, names }: NamedGroup, inputs: readonly GuessInput[]): FoundRecording {
  const sorted = names.toSorted((one, other) => one.index - other.index);
  const members = sorted.map(({ index }) => index);
  const files = members.flatMap((index) => inputs[index] ?? []);
  const tempo = findRecordingTempo(files);
  const own = sorted.map((name) => cleanName(tidy(textOf(name, name.from, name.to))));
  const shared = title === "" ? titleOfFolder(files[0]?.folderName ?? "") : asTitle(title);
  return {
    recording: {
      members,
      title: cleanTitle(withoutEnding(shared, tempo?.bpm)) || UNTITLED,
      seconds: Math.min(...files.map(secondsOf)),
      bpm: tempo?.bpm ?? null,
      lengthBeats: tempo?.lengthBeats ?? null,
    },
    titles: own,
  };
}

/** Returns a title as it is written, if that is more than lower case. */
function asTitle(text: string): string {
  return /\p{Lu}/u.test(text) ? spaced(text) : tidy(text);
}

/** Drops the tempo at the end of a title, where it was a bare number. */
function withoutEnding(title: string, bpm: number | undefined): string {
  return bpm !== undefined && title.endsWith(` ${bpm}`) ? title.slice(0, -`${bpm}`.length) : title;
}

/** Returns the song's name of the innermost folder that has one; empty if none has. */
function titleOfFolder(folder: string): string {
  const parts = folder.split(/[/\\]/).toReversed();
  for (const part of parts) {
    const text = withoutTempo(part).replace(/_full\s*$/i, " ");
    const words = splitName(text);
    const length = words.findLastIndex(({ key }) => !means(key, "noise")) + 1;
    const [first, last] = [words[0], words[length - 1]];
    if (first === undefined || last === undefined) continue;
    const title = asTitle(text.slice(first.start, last.end));
    if (!isPartOfSong(words) && !isPlace(title)) return title;
  }
  return "";
}
