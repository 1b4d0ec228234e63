const UNITS = [1, 2, 4, 8, 16];
const MOST_BEATS = 99;

/** Returns Live's number of a time signature, 201 for 4/4; null for one that Live doesn't have. */
export function meterCode([beats, unit]: readonly [beats: number, unit: number]): number | null {
  const doublings = UNITS.indexOf(unit);
  if (doublings < 0 || beats > MOST_BEATS) return null;
  return MOST_BEATS * doublings + beats - 1;
}
