/**
 * The colours that packages take in turn, as indices into the palette: clear and neither too dark
 * nor too pale (OKLab chroma from 0.12, lightness 0.4 to 0.95), each one the farthest from all before
 * it. Any two are at least 0.13 apart in OKLab, neighbours at least 0.2, so that packages imported one
 * after the other are told apart at a glance.
 */
export const COLOR_ROTATION: readonly number[] = [
  10, 5, 56, 1, 65, 26, 61, 7, 17, 67, 14, 20, 0, 46,
];

/**
 * The palette index shared by the sounds of a package that have no colour of their own (rule T4).
 * @param turn the package's turn, a whole number from 0; after the last colour the first comes again
 */
export function colorOfTurn(turn: number): number {
  const colorIndex = COLOR_ROTATION[turn % COLOR_ROTATION.length];
  if (colorIndex === undefined) throw new RangeError(`${turn} is not a turn.`);
  return colorIndex;
}
