/** The texts of a package: those of sounds, and those of which each package has one. */
export type TextField = "name" | "title" | "source.app" | "source.app_version" | "source.platform";

/** A text as it is sent, with the one that the importer gets if it differs; null for the default. */
export type TextSent = string | readonly [sent: string, kept: string | null];

/** Texts that are cleaned alike (rule M6). */
export interface TextCase {
  readonly id: string;
  readonly field: TextField;
  /** Completes a sentence on the field, such as "keeps Greek". */
  readonly words: string;
  readonly texts: readonly TextSent[];
  /** The warning; none if omitted, and `open` where the rules leave it open. */
  readonly code?: "TEXT_CLEANED" | "TEXT_CUT" | "open";
}

export const BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
export const CONTROLS = "\0\u0001\t\n\v\f\r\u001b\u007f\u0085\u2028\u2029";
export const FAMILY = "👩\u200d👩\u200d👧";
export const SURROGATES = ["\ud800", "\udc00"];

/** All of these characters in one text, where each becomes a space. */
export function amid(characters: string | readonly string[]): TextSent {
  const all = Array.from(characters);
  return [
    `a${all.join("a")}a`,
    Array(all.length + 1)
      .fill("a")
      .join(" "),
  ];
}
