import { groupBy } from "./group-by.ts";
import { blank, readNumbers } from "./numbers-in-name.ts";
import { readKey } from "./read-key.ts";
import { isNumber, means, wordKey } from "./stem-words.ts";
import { stemOf } from "./words-of-name.ts";

/** A word or a number of a name, and its place there. */
export interface NameWord {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A name with the part of it that is its own. */
export interface OwnName {
  /** Position of the sound in the list. */
  readonly index: number;
  /** The name, with tempo and key blanked out. */
  readonly text: string;
  /** All words but a number that only gives the order. */
  readonly words: readonly NameWord[];
  /** The first and the last part, exclusive, without what all names have in common. */
  readonly from: number;
  readonly to: number;
}

/** Names of files that belong together. */
export interface NamedGroup {
  /** The title that the names have in common, as written; empty if there is none. */
  readonly title: string;
  readonly names: readonly OwnName[];
}

/** Returns the words of a name: `01_KickIn` has `01`, `kick` and `in`. */
export function splitName(text: string): readonly NameWord[] {
  return [...text.matchAll(PART)].map(({ 0: part, index: start }) => ({
    key: wordKey(part),
    start,
    end: start + part.length,
  }));
}

const PART =
  /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}][\p{Ll}\p{Lo}\p{Lm}\p{M}]*|\p{Lu}+(?!\p{Ll})|\p{Lu}|\d+/gu;

/** Returns a name without tempo, key and date; everything else stays at its place. */
export function withoutTempo(name: string): string {
  const text = readNumbers(name).rest.replaceAll(DATE, blank);
  const key = readKey(text);
  return key === null || key.confidence < SURE_KEY ? text : text.replace(key.text, blank);
}

const SURE_KEY = 0.9;
const DATE = /(?<!\d)(?:19|20)\d\d[-_.](?:0[1-9]|1[0-2])[-_.](?:0[1-9]|[12]\d|3[01])(?!\d)/g;

/**
 * Finds what names of one length have in common: a title in front or behind. Names of two songs become two groups.
 * @param fileNames by position of the sound in the list
 */
export function groupNames(
  fileNames: readonly (readonly [index: number, fileName: string])[],
): readonly NamedGroup[] {
  const names = fileNames.map(([index, fileName]): OwnName => {
    const text = withoutTempo(stemOf(fileName));
    const words = splitName(text);
    return { index, text, words, from: 0, to: words.length };
  });
  const ordered = withoutOrder(names);
  return splitByTitle(ordered, 0) ?? [inCommon(ordered)];
}

/** Drops the numbers in front that only give the order, such as `01_`. */
function withoutOrder(names: readonly OwnName[]): readonly OwnName[] {
  const numbers = names.flatMap(({ words, from, to }) => {
    const key = words[from]?.key ?? "";
    return to - from > 1 && isNumber(key) && key.length < 4 ? [key] : [];
  });
  const isOrder = numbers.length >= names.length * MOST && new Set(numbers).size > 1;
  return names.map((name) => {
    const { words, from, to, text } = name;
    const [first, second] = [words[from], words[from + 1]];
    if (first === undefined || second === undefined || to - from < 2) return name;
    const isIndex = isOrder || (first.key.length < 3 && text[first.end] === "_");
    return isIndex && isNumber(first.key) && !isOfWord(text, first)
      ? { ...name, from: from + 1 }
      : name;
  });
}

const MOST = 0.6;

/** Checks that a number is a part of what it stands before: `808 Sub`, `2nd Gtr`. */
function isOfWord(text: string, { key, end }: NameWord): boolean {
  return means(key, "stem") || /\p{Ll}/u.test(text[end] ?? "");
}

/** Splits names that begin with different titles, each of them followed by words of stems; null if there is one. */
function splitByTitle(names: readonly OwnName[], depth: number): readonly NamedGroup[] | null {
  const classes = groupBy(names, ({ words, from }) => words[from + depth]?.key ?? "");
  const [only] = classes.keys();
  if (classes.size === 1) return only === "" ? null : splitByTitle(names, depth + 1);
  const isTitles = [...classes].every(
    ([key, own]) => own.length > 1 && (isTitleWord(key) || isNumber(key)),
  );
  if (!isTitles) return null;
  const groups = [...classes.values()].map(inCommon);
  const stems = groups.map(({ names: own }) => new Set(own.flatMap(stemsOf)));
  const [first, ...others] = stems;
  const isShared = others.every((set) => [...set].some((stem) => first?.has(stem)));
  return isShared && groups.every(({ title }) => title !== "") ? groups : null;
}

/** Returns the words of instruments in what is a name's own. */
export function stemsOf(name: OwnName): readonly string[] {
  return ownWords(name).flatMap(({ key }) => (means(key, "stem") ? [key] : []));
}

/** Returns the words that are a name's own. */
export function ownWords({ words, from, to }: OwnName): readonly NameWord[] {
  return words.slice(from, to);
}

function isTitleWord(key: string): boolean {
  return key !== "" && !NO_TITLE.some((meaning) => means(key, meaning));
}

const NO_TITLE = [
  "stem",
  "detail",
  "take",
  "channel",
  "noise",
  "version",
  "always",
  "minus",
] as const;

/** Takes the common title off names; a few without it, such as a mix, keep theirs. */
function inCommon(names: readonly OwnName[]): NamedGroup {
  const classes = groupBy(names, ({ words, from }) => words[from]?.key ?? "");
  const [largest = []] = [...classes.values()].toSorted((one, other) => other.length - one.length);
  const [titled, rest] =
    largest.length >= names.length * TITLED && largest.length > 1
      ? [largest, names.filter((name) => !largest.includes(name))]
      : [names, []];
  const front = titleInFront(titled);
  const { title, names: own } = titleBehind(front.names, front.title);
  return { title, names: withoutOrder([...own, ...rest]) };
}

const TITLED = 0.7;

function titleInFront(names: readonly OwnName[]): NamedGroup {
  const [first] = names;
  if (first === undefined || names.length < 2) return { title: "", names };
  const shared = countShared(names, ({ words, from }, at) => words[from + at]?.key);
  const common = first.words.slice(first.from, first.from + shared);
  const last = common.findLastIndex(({ key }) => isTitleWord(key) || /^\d{4}$/.test(key)) + 1;
  // A number directly behind words belongs to them: `Summer 69`.
  const behind = common.slice(last).findIndex(({ key }) => !isNumber(key));
  const length = last === 0 ? 0 : behind < 0 ? shared : last + behind;
  const titleLength = last > 0 && isSetApart(names, shared) ? shared : length;
  const title = textOf(first, first.from, first.from + titleLength);
  if (!isTitle(common.slice(0, titleLength), title)) return { title: "", names };
  const noise = common.slice(titleLength).findIndex(({ key }) => !means(key, "noise"));
  const skipped = titleLength + (noise < 0 ? shared - titleLength : noise);
  const own = names.map((name) => ({ ...name, from: Math.min(name.from + skipped, name.to) }));
  return { title, names: own };
}

/** Checks that a dash or a bracket ends what names have in common, the only one so far: `Paper Guitar (Drums)`. */
function isSetApart(names: readonly OwnName[], shared: number): boolean {
  return names.every(({ text, words, from }) => {
    const gaps = words
      .slice(from, from + shared)
      .map(({ end }, at) => text.slice(end, words[from + at + 1]?.start ?? text.length));
    const [last = "", ...inner] = gaps.toReversed();
    return SEPARATOR.test(last) && !inner.some((gap) => SEPARATOR.test(gap));
  });
}

const SEPARATOR = /[([–—]|\s-\s/;

/** Takes off what all names end with, unless it is an instrument; it is the title if there is none in front. */
function titleBehind(names: readonly OwnName[], title: string): NamedGroup {
  const shortest = Math.min(...names.map(({ from, to }) => to - from).filter((n) => n > 0));
  const shared = countShared(
    names.filter(({ from, to }) => to > from),
    ({ words, to }, at) => (at < shortest - 1 ? words[to - 1 - at]?.key : undefined),
  );
  const first = names.find(({ from, to }) => to > from);
  if (first === undefined || names.length < 2) return { title, names };
  const common = first.words.slice(first.to - shared, first.to);
  const start = common.findLastIndex(({ key }) => means(key, "stem") || means(key, "version")) + 1;
  const behind = common.slice(start);
  const words = behind.filter(({ key }) => isTitleWord(key));
  const begin = behind.findIndex(({ key }) => isTitleWord(key));
  const end = behind.findLastIndex(({ key }) => isTitleWord(key));
  const at = first.to - behind.length;
  const text = words.length === 0 ? "" : textOf(first, at + begin, at + end + 1);
  const isSong = words.some(({ key }) => !means(key, "song"));
  if (title === "" && words.length > 0 && !(isSong && isTitle(words, text))) {
    return { title, names };
  }
  const own = names.map((name) => ({ ...name, to: Math.max(name.from, name.to - behind.length) }));
  return { title: title || text, names: own };
}

/** Counts how many steps all names have in common. */
function countShared(
  names: readonly OwnName[],
  keyAt: (name: OwnName, at: number) => string | undefined,
): number {
  const [first] = names;
  if (first === undefined) return 0;
  for (let at = 0; ; at += 1) {
    const key = keyAt(first, at);
    const isLast = names.some((name) => name.from + at >= name.to && name.from < name.to);
    if (key === undefined || isLast || names.some((name) => keyAt(name, at) !== key)) return at;
  }
}

function isTitle(words: readonly NameWord[], text: string): boolean {
  const isNamed = words.some(({ key }) => isTitleWord(key) && !means(key, "pack"));
  return (isNamed && /\p{Lo}|\p{L}{2}/u.test(text)) || /^\d{4}$/.test(text);
}

/** Returns words of a name as they are written, with a bracket that they open closed. */
export function textOf({ text, words }: OwnName, from: number, to: number): string {
  const [first, last] = [words[from], words[to - 1]];
  if (first === undefined || last === undefined || to <= from) return "";
  const own = text.slice(first.start, last.end);
  const isOpen = /\([^)]*$/.test(own);
  return isOpen ? `${own})` : own;
}
