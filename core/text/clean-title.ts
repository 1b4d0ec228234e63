import { MAX_TITLE_LENGTH } from "../limits.ts";
import { cleanText, type CleanedText } from "./clean-text.ts";

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

/** The cleaned title; empty if nothing visible is left, so the caller can use its default. */
export function cleanTitle(raw: string): string {
  return readTitle(raw).text;
}
