import { nearestColor } from "../../../core/layout/palette.ts";
import { ENGLISH, type MessageKey } from "../../../core/messages/en/english.ts";
import type { Translate } from "../../../core/messages/translate.ts";

/** Which name a color has takes 70 comparisons; rows are rendered often. */
const indexes = new Map<string, number>();

type ColorKey = Extract<MessageKey, `color.${string}`>;

/**
 * A color's name; of a color that Live doesn't have, that of the nearest one, which Live would show.
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

/**
 * The key of a palette color's name.
 * @throws {RangeError} if there is no such color
 */
export function colorKey(index: number): ColorKey {
  const key = `color.${index}`;
  if (!isColorKey(key)) throw new RangeError(`There is no colour ${index}.`);
  return key;
}

function isColorKey(key: string): key is ColorKey {
  return key.startsWith("color.") && Object.hasOwn(ENGLISH, key);
}
