/** A relay deletes no sound for this long after a backup last renewed its hold (rule Z10). */
export const HOLD_MS = 90_000;
/** A hold that ends later was made on a wrong clock, and holds nothing. */
export const LONGEST_HOLD_MS = HOLD_MS + 3_600_000;

/** Checks whether nothing may be deleted at a time. @param holds ends of the holds of backups */
export function isHeldAt(holds: readonly number[], now: number): boolean {
  return holds.some((endsAt) => endsAt > now && endsAt <= now + LONGEST_HOLD_MS);
}
