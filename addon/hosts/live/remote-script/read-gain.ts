import { MIN_GAIN_DB } from "../../../../core/limits.ts";
import type { HeldMessage } from "./outcome-message.ts";

/** A clip's gain as Live shows it. */
export interface HeldGain {
  readonly gainDb: number;
  /** How far the true gain may be from what the display shows. */
  readonly toleranceDb: number;
}

const TOLERANCE_DB = 0.1;
/** From here on, Live's raw gain is on a straight line. */
const STRAIGHT_FROM = 0.4;

/**
 * Reads a gain from Live's display, such as `-3.0 dB`, else from the raw value where its scale is known.
 * Silence counts as the least gain that a manifest can ask for.
 * @returns undefined where neither tells
 */
export function readGain({
  gain_display_string: display,
  gain,
}: Pick<HeldMessage, "gain_display_string" | "gain">): HeldGain | undefined {
  const shown = display === null ? undefined : parseDisplay(display);
  if (shown !== undefined) return shown;
  if (gain === null || gain < STRAIGHT_FROM) return undefined;
  return { gainDb: 40 * gain - 16, toleranceDb: TOLERANCE_DB };
}

function parseDisplay(display: string): HeldGain | undefined {
  const text = display
    .replaceAll(/[\u2212\u2012\u2013\u2014]/g, "-")
    .replaceAll(/[\s\u00a0\u202f]/g, "");
  if (/^-(inf|\u221e)/i.test(text)) return { gainDb: MIN_GAIN_DB, toleranceDb: TOLERANCE_DB };
  const found = /^([+-]?\d+)(?:[.,](\d+))?(?:dB)?$/i.exec(text);
  if (found === null) return undefined;
  const [, whole = "0", digits = ""] = found;
  const lastDigit = 10 ** -digits.length;
  return {
    gainDb: Number(`${whole}.${digits || "0"}`),
    toleranceDb: Math.max(TOLERANCE_DB, lastDigit),
  };
}
