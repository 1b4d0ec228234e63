import {
  MAX_BPM,
  MAX_GAIN_DB,
  MAX_LENGTH_BEATS,
  MIN_BPM,
  MIN_GAIN_DB,
} from "../../../core/limits.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import { parseDecimal } from "../../../core/text/format-number.ts";

/** A number that a person types, and its limits. */
export interface NumberField {
  readonly min: number;
  readonly max: number;
  /** Formats the error for input that is not a number within the limits. */
  readonly sentence: (t: Translate) => string;
}

export const BPM: NumberField = {
  min: MIN_BPM,
  max: MAX_BPM,
  sentence: (t) => t("page.tempoRange", { min: MIN_BPM, max: MAX_BPM }),
};
export const BEATS: NumberField = {
  min: Number.MIN_VALUE,
  max: MAX_LENGTH_BEATS,
  sentence: (t) => t("page.beatsRange", { max: String(MAX_LENGTH_BEATS) }),
};
export const GAIN: NumberField = {
  min: MIN_GAIN_DB,
  max: MAX_GAIN_DB,
  sentence: (t) => t("page.gainRange", { min: `−${-MIN_GAIN_DB}`, max: MAX_GAIN_DB }),
};

/** Parses typed input as `parseDecimal` does; undefined if it is empty or not a number within the limits. */
export function numberOf(typed: string, { min, max }: NumberField): number | undefined {
  const number = parseDecimal(typed);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

/** True for input that is not empty and not a number within the limits. */
export function isWrong(typed: string, field: NumberField): boolean {
  return parseDecimal(typed) !== undefined && numberOf(typed, field) === undefined;
}
