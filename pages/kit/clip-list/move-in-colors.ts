import { PALETTE } from "../../../core/layout/palette.ts";

const LAST = PALETTE.length - 1;

/**
 * The color that a key moves to, in rows with Automatic above them; null for other keys.
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
