import { shorten } from "../text/shorten.ts";

/** UTF-16 units; leaves room for the problem in a sentence of `MAX_ERROR_UNITS`. */
const MAX_NAME_UNITS = 20;

/**
 * How sentences name a sound: `Sound 3 "Kick"`, or `Sound 3` if it has no name of its own.
 * @param position 1-based
 * @param name cleaned
 */
export function soundLabel(position: number, name: string | undefined): string {
  const label = `Sound ${position}`;
  return name === undefined || name === label
    ? label
    : `${label} "${shorten(name, MAX_NAME_UNITS)}"`;
}
