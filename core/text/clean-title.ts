import { MAX_TITLE_LENGTH } from "../limits.ts";
import { cleanText, type CleanedText } from "./clean-text.ts";

/**
 * What can't be printed: controls, line breaks, what turns text around, lone surrogates, noncharacters
 * and invisible characters, but for marks and what joins letters, emoji and flags.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?![\p{M}\u200c-\u200d\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;

/**
 * Cleans a title or any other line of text, and says what it lost (rule M6): every printable
 * character stays.
 * @param maxLength code points
 */
export function readTitle(raw: string, maxLength = MAX_TITLE_LENGTH): CleanedText {
  return cleanText(raw, { unusable: UNPRINTABLE, maxLength });
}

/** The cleaned title; empty where nothing visible is left, so that the caller's default stands in. */
export function cleanTitle(raw: string): string {
  return readTitle(raw).text;
}
