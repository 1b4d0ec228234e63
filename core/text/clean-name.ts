import { MAX_NAME_LENGTH } from "../limits.ts";
import { cleanText, type CleanedText, type TextRule } from "./clean-text.ts";

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

/** The cleaned name; empty if nothing visible is left, so the caller can use its default. */
export function cleanName(raw: string): string {
  return readName(raw).text;
}
