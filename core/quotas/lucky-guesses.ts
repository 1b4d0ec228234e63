import { PAIRING_CODES } from "../protocol/pairing-code.ts";

const HOURS_A_YEAR = 365 * 24;

/** What decides how many codes are guessed. */
export interface GuessedRelay {
  /** Codes that are valid at any moment, of all computers. */
  readonly liveCodes: number;
  /** Wrong tries of all strangers in an hour that need no yes (rule P6). */
  readonly unseenTriesPerHour: number;
}

/**
 * How many codes a year strangers are expected to find unseen, who use every try that the relay has, in every hour.
 * Each try finds one with a chance of `liveCodes` in all possible codes.
 */
export function luckyGuessesAYear({ liveCodes, unseenTriesPerHour }: GuessedRelay): number {
  return (unseenTriesPerHour * HOURS_A_YEAR * liveCodes) / PAIRING_CODES;
}
