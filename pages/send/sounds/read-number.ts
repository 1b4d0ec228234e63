import {
  MAX_BPM,
  MAX_GAIN_DB,
  MAX_LENGTH_BEATS,
  MIN_BPM,
  MIN_GAIN_DB,
} from "../../../core/limits.ts";
import { parseDecimal } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";

/** A number that a person types, and its limits. */
export interface NumberField {
  readonly min: number;
  readonly max: number;
  /** The error for input that is not a number within the limits. */
  readonly sentence: () => string;
}

export const BPM: NumberField = {
  min: MIN_BPM,
  max: MAX_BPM,
  sentence: () => t("page.tempoRange", { min: MIN_BPM, max: MAX_BPM }),
};
export const BEATS: NumberField = {
  min: Number.MIN_VALUE,
  max: MAX_LENGTH_BEATS,
  sentence: () => t("page.beatsRange", { max: String(MAX_LENGTH_BEATS) }),
};
export const GAIN: NumberField = {
  min: MIN_GAIN_DB,
  max: MAX_GAIN_DB,
  sentence: () => t("page.gainRange", { min: `−${-MIN_GAIN_DB}`, max: MAX_GAIN_DB }),
};

/**
 * Parses typed input as `parseDecimal` does. Returns undefined for empty input, and a sentence if it is not a
 * number within the limits.
 */
export function readNumber(typed: string, { min, max, sentence }: NumberField) {
  const number = parseDecimal(typed);
  if (number === undefined) return undefined;
  return number >= min && number <= max ? number : sentence();
}

/** Returns the typed number; undefined also if it is not a number within the limits. */
export function numberOf(typed: string, field: NumberField): number | undefined {
  const read = readNumber(typed, field);
  return typeof read === "number" ? read : undefined;
}
