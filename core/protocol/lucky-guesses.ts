import { PAIRING_ALPHABET, PAIRING_CODE_LENGTH } from "./pairing-code.ts";

/** Number of different codes. */
export const PAIRING_CODES = PAIRING_ALPHABET.length ** PAIRING_CODE_LENGTH;
const HOURS_A_YEAR = 365 * 24;

/** The facts that decide how many codes are guessed. */
interface GuessedRelay {
  /** Codes that are valid at any moment, of all computers. */
  readonly liveCodes: number;
  /** Wrong tries of all strangers in an hour that need no yes (rule P6). */
  readonly unseenTriesPerHour: number;
}

/**
 * Returns the codes a year that strangers are expected to find unseen if they use every try of the relay in every hour.
 * Each try finds one with a chance of `liveCodes` in all possible codes.
 */
export function luckyGuessesAYear({ liveCodes, unseenTriesPerHour }: GuessedRelay): number {
  return (unseenTriesPerHour * HOURS_A_YEAR * liveCodes) / PAIRING_CODES;
}
