import { MAX_NAME_LENGTH } from "../limits.ts";
import { cleanName, cleanTitle } from "../text/clean-text.ts";
import { clashKey } from "../text/file-name.ts";
import { guessSound } from "./guess-sound.ts";
import { tidy } from "./guess-title.ts";
import type { Recording } from "./recording.ts";
import { simplify } from "./words-of-name.ts";

/** Evidence for a package's title. */
export interface PackageTitleInput {
  /** The folder that holds all its sounds, if there is one; only the last part of a path counts. */
  readonly folderName?: string | undefined;
  /** File names of its sounds, in their order. */
  readonly fileNames: readonly string[];
  /** Recordings that `guessSounds` found among them. */
  readonly recordings?: readonly Recording[] | undefined;
}

/** The title of what has no name. */
export const UNTITLED = "Untitled";

/** Folders that say where sounds lie, not what they are. */
const ANYWHERE =
  /^(?:downloads?|desktop|documents?|music|musik|musique|samples?|sounds?|audio|wavs?|files?|temp|tmp|(?:new|untitled|neuer|nouveau) ?(?:folder|ordner|dossier)?(?: \d+)?|untitled|exports?|bounces?|renders?|stems?|home|inbox|\d+|export \d+)$/;

/** Checks whether a folder's name only says where sounds lie, such as `Downloads`. */
export function isPlace(folder: string): boolean {
  return ANYWHERE.test(simplify(folder));
}

/**
 * Guesses a package's title: that of the recording that most of its sounds belong to, else its folder's name, else what
 * its sounds have in common, else its first sound (rules Y5 and Y9).
 */
export function guessTitle({ folderName, fileNames, recordings }: PackageTitleInput): string {
  const recording = recordings?.find(({ members }) => members.length * 2 > fileNames.length);
  if (recording !== undefined && recording.title !== UNTITLED) return recording.title;
  const folder = (folderName ?? "").split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  if (folder !== "" && !isPlace(folder)) {
    const title = cleanTitle(tidy(folder));
    if (title !== "") return title;
  }
  const titles = fileNames.map(titleOf);
  const [first, ...others] = titles;
  if (first === undefined) return UNTITLED;
  if (others.length === 0) return cleanTitle(first);
  const shared = sharedWords(titles);
  return cleanTitle(shared === "" ? `${first} and ${others.length} more` : shared);
}

function titleOf(fileName: string): string {
  return guessSound({ fileName, frames: 1, sampleRateHz: 1, hints: {} }).title;
}

/** Returns the words that all titles begin with; empty if they have no letters. */
function sharedWords(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(" "));
  const end = first.findIndex((word, at) =>
    others.some((words) => clashKey(words[at] ?? "") !== clashKey(word)),
  );
  const shared = (end < 0 ? first : first.slice(0, end)).join(" ").replace(/[\s\-–—(&]+$/, "");
  return /\p{L}{2}/u.test(shared) ? shared : "";
}

/** Makes names for sounds from their titles, in their order: the second of two gets ` 2`, and so on (rule Y4). */
export function uniqueNames(titles: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // A title that is unique already keeps its name, at any place.
  const own = new Set(titles.map(clashKey));
  return titles.map((title) => {
    const name = freeName(
      title,
      (key) => taken.has(key) || (key !== clashKey(title) && own.has(key)),
    );
    taken.add(clashKey(name));
    return name;
  });
}

function freeName(title: string, isTaken: (key: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const room = MAX_NAME_LENGTH - ending.length;
    const name = cleanName(Array.from(title).slice(0, room).join("")) + ending;
    if (!isTaken(clashKey(name))) return name;
  }
}
