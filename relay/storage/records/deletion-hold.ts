/** A relay deletes no sound for this long after a backup last renewed its hold (rule Z10). */
export const HOLD_MS = 90_000;
/** A hold that ends later was made on a wrong clock, and holds nothing. */
export const LONGEST_HOLD_MS = HOLD_MS + 3_600_000;
