import { nearestColor, PALETTE } from "../../../core/layout/palette.ts";
import { ENGLISH, type MessageKey } from "../../../core/messages/en/english.ts";
import type { Translate } from "../../../core/messages/translate.ts";

/** A cache, because finding a color's name takes 70 comparisons and rows are rendered often. */
const indexes = new Map<string, number>();

type ColorKey = Extract<MessageKey, `color.${string}`>;

/**
 * Names a color; if Live doesn't have it, names the nearest one, which Live would show.
 * @param color `#RRGGBB`; null means automatic
 */
export function colorName(t: Translate, color: string | null): string {
  return t(color === null ? "color.automatic" : colorKey(indexOf(color)));
}

function indexOf(color: string): number {
  const index = indexes.get(color) ?? nearestColor(color);
  indexes.set(color, index);
  return index;
}

/** Returns the message key of a palette color's name. @throws {RangeError} if there is no such color */
export function colorKey(index: number): ColorKey {
  const key = `color.${index}`;
  if (!isColorKey(key)) throw new RangeError(`There is no color ${index}.`);
  return key;
}

function isColorKey(key: string): key is ColorKey {
  return key.startsWith("color.") && Object.hasOwn(ENGLISH, key);
}

const LAST = PALETTE.length - 1;

/**
 * Returns the color that a key moves to, in rows with Automatic above them; null for other keys.
 * @param index -1 is Automatic
 * @param columns colors in a row; 14 in Live
 */
export function moveInColors(key: string, index: number, columns: number): number | null {
  switch (key) {
    case "ArrowRight":
      return index === LAST ? -1 : index + 1;
    case "ArrowLeft":
      return index === -1 ? LAST : index - 1;
    case "ArrowDown":
      if (index === -1) return 0;
      return index + columns > LAST ? -1 : index + columns;
    case "ArrowUp":
      if (index === -1) return LAST - columns + 1;
      return index < columns ? -1 : index - columns;
    case "Home":
      return -1;
    case "End":
      return LAST;
    default:
      return null;
  }
}
