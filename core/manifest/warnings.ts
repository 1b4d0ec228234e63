import { MAX_WARNINGS, MAX_WARNING_UNITS } from "../limits.ts";
import { cleanTitle } from "../text/clean-title.ts";
import { fillSentence, type Placeholder } from "../text/fill-sentence.ts";
import { shorten } from "../text/shorten.ts";
import type { Warning } from "./manifest.ts";

/**
 * Every warning about a manifest, in one table: its code and the sentence that a person reads, beside
 * the sound that it concerns. `docs/manifest.md` is tested against it. A code is stable: clients switch
 * on it (rule M5).
 */
export const WARNINGS = {
  VALUE_IGNORED: "{field} must be {form}; {value} was ignored.",
  VALUE_CLAMPED: "{field} must be {form}; {value} was changed to {kept}.",
  TEXT_CLEANED: "{field} has characters that aren't allowed; they were replaced by spaces.",
  TEXT_CUT: "{field} is too long; it was cut to {max} characters.",
  LOOP_ONLY: "{field} only applies to a loop; on this one-shot it was ignored.",
  PROPERTY_UNKNOWN: 'The format has no property "{field}"; it was ignored.',
  MIDI_IGNORED: "{field} is reserved for future use; it was ignored.",
  ID_REPLACED: "{field} must be {form}; {value} was changed to {kept}.",
  ID_TAKEN: "{field} {value} is already used; it was changed to {kept}.",
  MORE_WARNINGS: "There are {count} more warnings.",
} as const satisfies Record<string, string>;

/** The stable name of a warning. */
export type WarningCode = keyof typeof WARNINGS;

/** What a warning is about. */
export interface Subject {
  /** The property, such as `tempo.bpm`; may come from outside and be of any length. */
  readonly field: string;
  /** Id of the sound that has it. */
  readonly sound?: string;
}

type Words<Code extends WarningCode> = Readonly<
  Record<Exclude<Placeholder<(typeof WARNINGS)[Code]>, "field">, string | number>
>;

/** UTF-16 units of a value or a property's name inside a message. */
const MAX_QUOTED_UNITS = 40;

/** Collects the warnings of one manifest: the first ones, and the number of the rest (rule M5). */
export class WarningList {
  readonly #first: Warning[] = [];
  #count = 0;

  add<Code extends WarningCode>(code: Code, { field, sound }: Subject, words: Words<Code>): void {
    this.#count += 1;
    if (this.#count > MAX_WARNINGS) return;
    const printed = formatText(field);
    const filled = Object.entries(words).map(([name, word]) => [name, String(word)] as const);
    const sentence = fillSentence(WARNINGS[code], new Map([["field", printed], ...filled]));
    this.#first.push({
      code,
      message: shorten(sentence, MAX_WARNING_UNITS),
      ...(sound !== undefined && { sound }),
      field: printed,
    });
  }

  /** In the order they were added, at most `MAX_WARNINGS`; where there were more, the last says how many. */
  list(): readonly Warning[] {
    if (this.#count <= MAX_WARNINGS) return [...this.#first];
    const shown = this.#first.slice(0, MAX_WARNINGS - 1);
    const count = String(this.#count - shown.length);
    const message = fillSentence(WARNINGS.MORE_WARNINGS, new Map([["count", count]]));
    return [...shown, { code: "MORE_WARNINGS", message }];
  }
}

/** A value of any kind and size, for a sentence: a text in quotes, a list or an object by its kind. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return `"${formatText(value)}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function formatText(text: string): string {
  return shorten(cleanTitle(text), MAX_QUOTED_UNITS);
}
