/**
 * Palette indices that packages use in turn: saturated and neither too dark nor too pale (OKLab chroma
 * from 0.12, lightness 0.4 to 0.95), each the farthest from all before it. Any two are at least 0.13
 * apart in OKLab, neighbours at least 0.2, so consecutive imports look different.
 */
export const COLOR_ROTATION: readonly number[] = [
  10, 5, 56, 1, 65, 26, 61, 7, 17, 67, 14, 20, 0, 46,
];

/**
 * Palette index for a package's sounds without a `color` (rule T4).
 * @param turn the package's turn, a whole number from 0; wraps around
 * @throws {RangeError} if `turn` is negative or not whole
 */
export function colorOfTurn(turn: number): number {
  const colorIndex = COLOR_ROTATION[turn % COLOR_ROTATION.length];
  if (colorIndex === undefined) throw new RangeError(`${turn} is not a turn.`);
  return colorIndex;
}
