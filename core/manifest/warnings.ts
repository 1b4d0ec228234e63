import { MAX_WARNINGS, MAX_WARNING_UNITS } from "../limits.ts";
import { cleanTitle } from "../text/clean-text.ts";
import { fillSentence, type Placeholder } from "../text/sentence-of.ts";
import { shorten } from "../text/shorten.ts";
import type { Warning } from "./manifest.ts";

/**
 * Every manifest warning: its stable code, which clients switch on, and its sentence (rule M5).
 * A test compares `docs/use/manifest.md` with this table.
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

/** The property and sound that a warning concerns. */
export interface Subject {
  /** The property, such as `tempo.bpm`. Untrusted and of any length. */
  readonly field: string;
  /** Id of the sound with this property. */
  readonly sound?: string;
}

type Params<Code extends WarningCode> = Readonly<
  Record<Exclude<Placeholder<(typeof WARNINGS)[Code]>, "field">, string | number>
>;

/** Longest quoted value or property name in a message, in UTF-16 units. */
const MAX_QUOTED_UNITS = 40;

/** Collects a manifest's first `MAX_WARNINGS` warnings and counts the rest (rule M5). */
export class WarningList {
  readonly #first: Warning[] = [];
  #count = 0;

  add<Code extends WarningCode>(code: Code, { field, sound }: Subject, params: Params<Code>): void {
    this.#count += 1;
    if (this.#count > MAX_WARNINGS) return;
    const printed = formatField(field);
    const filled = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    const sentence = fillSentence(WARNINGS[code], new Map([["field", printed], ...filled]));
    this.#first.push({
      code,
      message: shorten(sentence, MAX_WARNING_UNITS),
      ...(sound !== undefined && { sound }),
      field: printed,
    });
  }

  /** Returns at most `MAX_WARNINGS`, in the order added; on overflow the last one counts the omitted ones. */
  list(): readonly Warning[] {
    if (this.#count <= MAX_WARNINGS) return [...this.#first];
    const shown = this.#first.slice(0, MAX_WARNINGS - 1);
    const count = String(this.#count - shown.length);
    const message = fillSentence(WARNINGS.MORE_WARNINGS, new Map([["count", count]]));
    return [...shown, { code: "MORE_WARNINGS", message }];
  }
}

/** Formats any value for a sentence: text is quoted and shortened, lists and objects are named by type. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return `"${formatText(value)}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Formats a property's name as in `Warning.field`: names of unknown properties may be long or hostile. */
export function formatField(field: string): string {
  return formatText(field);
}

function formatText(text: string): string {
  return shorten(cleanTitle(text), MAX_QUOTED_UNITS);
}
