import { MAX_NAME_LENGTH, MAX_TITLE_LENGTH } from "../limits.ts";

/** The rule for one kind of text. */
interface TextRule {
  /** Matches each code point to replace with a space; needs the flags `g` and `u`. */
  readonly unusable: RegExp;
  /** Code points. */
  readonly maxLength: number;
}

/** A cleaned text and how it changed. */
export interface CleanedText {
  /** Empty if nothing visible is left. */
  readonly text: string;
  /** `cut` takes precedence over `cleaned`; NFC and collapsed spaces alone are `none`. */
  readonly change: "none" | "cleaned" | "cut";
}

/** Most UTF-16 units to process. Sorting combining marks is quadratic: 64,000 of them would block for seconds. */
const MAX_UNITS = 1024;
/** Matches a text that isn't only marks, spaces and invisible characters. */
export const HAS_VISIBLE_CHARACTER = /[^\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** A grapheme cluster: a base with its marks, a flag, an emoji sequence. */
const CLUSTER =
  /(?:\p{Regional_Indicator}{2}|[^])(?:[\p{M}\p{Emoji_Modifier}\u200c\u{e0020}-\u{e007f}]|\u200d[^]?)*/gu;

/** Matches words of ASCII, with one space between two: a name or title that is clean already, as most are. */
const IS_CLEAN = /^[\w\-().'&+#!]+(?: [\w\-().'&+#!]+)*$/;

/**
 * Normalizes to NFC, replaces unusable code points with spaces, collapses and trims spaces, and cuts to
 * the rule's length (rule M6). Idempotent.
 */
function cleanText(raw: string, { unusable, maxLength }: TextRule): CleanedText {
  if (raw.length <= maxLength && IS_CLEAN.test(raw)) return { text: raw, change: "none" };
  const start = collapseSpaces(raw);
  const composed = start.slice(0, MAX_UNITS).normalize("NFC");
  const usable = composed.replaceAll(unusable, " ");
  const whole = collapseSpaces(usable);
  const text = cutText(whole, maxLength);
  const wasCut = text !== whole || start.length > MAX_UNITS;
  const change = wasCut ? "cut" : usable === composed ? "none" : "cleaned";
  return { text: HAS_VISIBLE_CHARACTER.test(text) ? text : "", change };
}

function collapseSpaces(text: string): string {
  return text.replaceAll(/\p{Zs}{2,}/gu, " ").replaceAll(/^\p{Zs}|\p{Zs}$/gu, "");
}

/** Cuts between grapheme clusters, unless the first alone exceeds `maxLength` code points. */
function cutText(text: string, maxLength: number): string {
  // Code points are never more than UTF-16 units.
  if (text.length <= maxLength) return text;
  let length = 0;
  let end = 0;
  for (const [cluster] of text.matchAll(CLUSTER)) {
    length += Array.from(cluster).length;
    if (length > maxLength) break;
    end += cluster.length;
  }
  const cut = end > 0 ? text.slice(0, end) : Array.from(text).slice(0, maxLength).join("");
  return collapseSpaces(cut);
}

/** Allowed code points of a name, as the content of a regular expression class. */
export const NAME_CHARACTERS = "\\p{L}\\p{M}\\p{Nd} _\\-().'&+#!";

const NAME_RULE: TextRule = {
  unusable: new RegExp(`[^${NAME_CHARACTERS}]`, "gu"),
  maxLength: MAX_NAME_LENGTH,
};

/**
 * Cleans the name of a sound or an app and reports the change (rule M6). Keeps letters and marks of any
 * language, decimal digits, space and `_ - ( ) . ' & + # !`, up to `MAX_NAME_LENGTH` code points.
 */
export function readName(raw: string): CleanedText {
  return cleanText(raw, NAME_RULE);
}

/** Returns the cleaned name; empty if nothing visible is left, so the caller can use its default. */
export function cleanName(raw: string): string {
  return readName(raw).text;
}

/**
 * Control, line break and bidi characters, lone surrogates, noncharacters and invisible characters,
 * except marks and the joiners of letters, emoji and flags.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?![\p{M}\u200c-\u200d\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;

/**
 * Cleans a title or another line of text and reports the change (rule M6). Keeps every printable character.
 * @param maxLength in code points
 */
export function readTitle(raw: string, maxLength = MAX_TITLE_LENGTH): CleanedText {
  return cleanText(raw, { unusable: UNPRINTABLE, maxLength });
}

/** Returns the cleaned title; empty if nothing visible is left, so the caller can use its default. */
export function cleanTitle(raw: string): string {
  return readTitle(raw).text;
}
