import { cleanName } from "../text/clean-text.ts";
import { blank, type NumbersInName } from "./numbers-in-name.ts";
import { wordsOfName } from "./words-of-name.ts";

/** A sound's title and how sure it is, from 0 to 1. */
export interface TitleGuess {
  /** Valid as a sound's name; never empty. */
  readonly title: string;
  readonly confidence: number;
}

/** The parts of a sound's title. */
export interface TitleClues {
  readonly stem: string;
  readonly numbers: NumbersInName;
  /** The tempo as written; empty if the name has none. */
  readonly tempoText: string;
  /** The key as written; empty if the name has none. */
  readonly keyText: string;
}

const FORMATS =
  /(?<![\p{L}\d])(?:(?:16|24|32)[ _-]?bits?|(?:22|32|44|48|88|96|176|192)(?:[.,]?[12])?[ _-]?k(?:hz)?|22050|(?:441|480|882|960|1920)00)(?![\p{L}\d])/giu;
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]|\{\s*\}/g;
/** A pack's short name: `LM`, `DH2`, `SM101`. */
const CODE = /^[A-Z]{1,5}\d{0,3}$/;
const MODEL = /^(?:SP|MPC|TR|SH|DX|TX|CR|TB|JP|JX|JD|MS|CS|RZ|DR|RX|SK|MC|OB|VP|ASR|EPS|MT)\d/;
const NUMBERED_CODE = /^[A-Z]{2,5}\d{1,3}$/;

/** Guesses a sound's title: its name without tempo, key, format and a pack's code (rule Y4). */
export function guessSoundTitle(clues: TitleClues): TitleGuess {
  const { stem, numbers, tempoText, keyText } = clues;
  const named = withoutOnce(withoutOnce(numbers.rest, tempoText, true), keyText, false);
  const bare = named.slice(codesLength(stem, tempoText)).replaceAll(FORMATS, " ");
  const title = cleanName(tidy(bare));
  if (title !== "") return { title, confidence: /\p{L}/u.test(title) ? 0.9 : 0.3 };
  const whole = cleanName(tidy(stem));
  return { title: whole === "" ? "Sound" : whole, confidence: 0.2 };
}

/** Formats a folder's or a file's name for people: without underscores, each word with a capital. */
export function tidy(name: string): string {
  return spaced(name).replaceAll(
    /(?<![\p{L}\p{M}\p{N}'’&])(?!v\d)\p{Ll}[\p{L}\p{M}'’]*/gu,
    capitalize,
  );
}

/** Formats a name without underscores, with its own capitals. */
export function spaced(name: string): string {
  const isKebab = !/[\s_]/.test(name.trim());
  return name
    .replaceAll(isKebab ? /(?<=[\p{L}\p{M}])-(?=\p{L})/gu : /_/g, " ")
    .replaceAll("_", " ")
    .replaceAll(EMPTY_BRACKETS, " ")
    .replaceAll(/(?:\s+[-–—.,]+)+(?=\s|$)/g, " - ")
    .replaceAll(/^[\s\-–—.,]+|[\s\-–—.,]+$/g, "")
    .replaceAll(/\s+/g, " ");
}

const SMALL = new Set(["and", "of", "the", "in", "on", "und", "de", "et", "y"]);

function capitalize(word: string, at: number): string {
  if (at > 0 && SMALL.has(word)) return word;
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

/** Blanks out the first occurrence of a text, so that other positions don't move. */
function withoutOnce(name: string, text: string, isNumber: boolean): string {
  if (text === "") return name;
  const number = new RegExp(`(?<!\\d)${text.replace(".", "\\.")}(?!\\d)`);
  const at = isNumber ? name.search(number) : name.indexOf(text);
  return at < 0 ? name : name.slice(0, at) + blank(text) + name.slice(at + text.length);
}

/**
 * Returns the length of the codes before a tempo (`LM_DH2_122_…`), or of a numbered code at the start
 * (`SM101_drum_…`).
 */
function codesLength(stem: string, tempoText: string): number {
  const parts = stem.split(/(?<=[\s_-])(?=[^\s_-])/);
  const codes = parts.slice(
    0,
    Math.max(
      0,
      parts.findIndex((part) => !isCode(part)),
    ),
  );
  const [head = "", ...others] = parts;
  const digits = /\d+/.exec(tempoText)?.[0];
  const codeLength = codes.join("").length;
  if (digits !== undefined && stem.startsWith(digits, codeLength)) return codeLength;
  const isNumbered = NUMBERED_CODE.test(head.replaceAll(/[\s_-]/g, "")) && isCode(head);
  const isEnough = others.filter((part) => /\p{L}{2}/u.test(part)).length > 1;
  return isNumbered && isEnough ? head.length : 0;
}

function isCode(part: string): boolean {
  const word = part.replaceAll(/[\s_-]/g, "");
  return CODE.test(word) && !MODEL.test(word) && wordsOfName(word).length === 0;
}
