/** At most this many sounds are put aside without a look at how many there are. */
const FEW = 20;
/** Of more than these, at most a tenth is. */
const LARGEST_SHARE = 0.1;

/**
 * Whether so many sounds that no record knows are no leftovers: then the database is probably not the right one,
 * and none may be put aside (rule Z4).
 * @param unknown finished sounds to be put aside now, and those that were within 24 hours
 * @param all every finished sound, with the ones put aside within 24 hours
 */
export function isMassQuarantine(unknown: number, all: number): boolean {
  return unknown > FEW && unknown > all * LARGEST_SHARE;
}
