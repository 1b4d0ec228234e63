import { oklabDistance, oklabOf } from "./oklab.ts";
import { PALETTE } from "./palette.ts";

/**
 * Index of the palette entry that looks most like a colour; of two equally near ones the lower
 * (rule T4).
 *
 * @param color `#RRGGBB`, as a cleaned manifest has it
 * @param palette 0xRRGGBB each; Live's where none is given
 */
export function nearestColor(color: string, palette: readonly number[] = PALETTE): number {
  const wanted = oklabOf(Number.parseInt(color.slice(1), 16));
  const distances = palette.map((entry) => oklabDistance(oklabOf(entry), wanted));
  return distances.indexOf(Math.min(...distances));
}
