import { expect, test } from "vitest";
import { checkGuesses } from "../../../cli/doctor/check-settings.ts";
import { luckyGuessesAYear } from "../../../core/quotas/lucky-guesses.ts";
import { PAIRING_CODES } from "../../../core/protocol/pairing-code.ts";

test("[P6] a try finds one of the codes that are valid among all codes that there can be", () => {
  expect(PAIRING_CODES).toBe(887_503_681);
  const unseenTriesPerHour = PAIRING_CODES / (365 * 24);
  expect(luckyGuessesAYear({ liveCodes: 1, unseenTriesPerHour })).toBeCloseTo(1, 12);
  expect(luckyGuessesAYear({ liveCodes: 1000, unseenTriesPerHour: 600 })).toBeCloseTo(5.92, 2);
  expect(luckyGuessesAYear({ liveCodes: 1000, unseenTriesPerHour: 0 })).toBe(0);
});

test("[P6] doctor says what the settings in force allow", () => {
  const relay = { pairingTriesOfAll: 600, pairingConsent: "when-attacked" };
  expect(checkGuesses(relay)).toEqual({
    check: "pairing-guesses",
    state: "ok",
    sentence:
      "Anyone who guesses pairing codes all year, at full speed, finds 0.0059 while one code is valid at a time, and 5.9 while 1,000 are.",
  });
  expect(checkGuesses({ ...relay, pairingTriesOfAll: 1_000_000 })).toMatchObject({
    state: "note",
    advice: expect.stringContaining("SOUNDFERRY_PAIRING_TRIES_OF_ALL"),
  });
  expect(checkGuesses({ ...relay, pairingConsent: "always" }).sentence).toContain("finds nothing");
});
