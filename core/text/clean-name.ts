import { MAX_NAME_LENGTH } from "../limits.ts";
import { cleanText, type CleanedText, type TextRule } from "./clean-text.ts";

/** The code points of a name, as the inside of a regular expression's class. */
export const NAME_CHARACTERS = "\\p{L}\\p{M}\\p{Nd} _\\-().'&+#!";

const NAME_RULE: TextRule = {
  unusable: new RegExp(`[^${NAME_CHARACTERS}]`, "gu"),
  maxLength: MAX_NAME_LENGTH,
};

/**
 * Cleans the name of a sound or an app, and says what it lost (rule M6): letters and marks of any
 * language, decimal digits, space and `_ - ( ) . ' & + # !` stay; at most `MAX_NAME_LENGTH` code points.
 */
export function readName(raw: string): CleanedText {
  return cleanText(raw, NAME_RULE);
}

/** The cleaned name; empty where nothing visible is left, so that the caller's default stands in. */
export function cleanName(raw: string): string {
  return readName(raw).text;
}
