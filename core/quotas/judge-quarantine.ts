/** So few sounds may be quarantined, whatever their share. */
const FEW = 20;
/** The largest share of all sounds that may be quarantined otherwise. */
const LARGEST_SHARE = 0.1;

/**
 * Checks whether there are too many unknown sounds to be leftovers: then the database is probably not the right one,
 * and none may be quarantined (rule Z4).
 * @param unknown finished sounds to quarantine now, and those quarantined within 24 hours
 * @param all every finished sound, with those quarantined within 24 hours
 */
export function isMassQuarantine(unknown: number, all: number): boolean {
  return unknown > FEW && unknown > all * LARGEST_SHARE;
}
