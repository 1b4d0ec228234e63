import { MAX_PACKAGE_BYTES } from "../limits.ts";

/** What one budget allows at once: to a pairing, to a device, to an address, and to all together (rule L5). */
export interface BudgetLimits {
  /** Infinity where pairings have no budget of their own. */
  readonly perPairing: number;
  readonly perDevice: number;
  readonly perAddress: number;
  readonly all: number;
}

/** A wider network may have this many times what the next narrower tier has. */
export const NETWORK_FACTOR = 8;
/** Networks are held to their share only while more than this share of the whole budget is used. */
export const CROWDED_SHARE = 0.7;
/** Of the whole budget, this share is kept for the proven (rule L7). */
export const PROVEN_SHARE = 0.25;

/** Running uploads of one client address, so that a studio behind one address has room for many apps. */
export const UPLOADS_PER_ADDRESS = 64;
/** Claims that wait for a yes in the panel, in all and of one client address (rule P12). */
export const WAITING_CLAIMS = 200;
export const WAITING_CLAIMS_PER_ADDRESS = 8;

/** Bytes that are announced and not sent yet, of one device and of one client address (rule U6). */
export const UNFILLED_PER_DEVICE = 2 * MAX_PACKAGE_BYTES;
export const UNFILLED_PER_ADDRESS = 4 * MAX_PACKAGE_BYTES;
/** Of the free room, this share is kept for uploads that ask for room again (rule U6). */
export const RESUME_SHARE = 0.05;
/** Of the tries that may still be looked up while somebody guesses codes, one /24 or /48 has this share (rule P12). */
export const NETWORK_SHARE_OF_ATTACKED_TRIES = 0.04;
