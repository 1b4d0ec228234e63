import { oklabDistance, oklabOf } from "./oklab.ts";
import { PALETTE } from "./palette.ts";

/**
 * Index of the perceptually nearest palette entry; a tie goes to the lower index (rule T4).
 * @param color `#RRGGBB`
 * @param palette 0xRRGGBB each; default: Live's
 */
export function nearestColor(color: string, palette: readonly number[] = PALETTE): number {
  const target = oklabOf(Number.parseInt(color.slice(1), 16));
  const distances = palette.map((entry) => oklabDistance(oklabOf(entry), target));
  return distances.indexOf(Math.min(...distances));
}
