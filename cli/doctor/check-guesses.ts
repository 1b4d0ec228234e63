import { luckyGuessesAYear } from "../../core/protocol/pairing-code.ts";
import type { RelaySettings } from "../../relay/settings.ts";
import type { Finding } from "./finding.ts";

/** A quiet relay, and a busy one. */
const [ONE, MANY] = [1, 1000] as const;

/** How many pairing codes strangers would find (rule P6), with the settings in force. */
export function checkGuesses({
  pairingTriesOfAll,
  pairingConsent,
}: Pick<RelaySettings, "pairingTriesOfAll" | "pairingConsent">): Finding {
  const check = "pairing-guesses";
  const unseenTriesPerHour = pairingConsent === "always" ? 0 : pairingTriesOfAll;
  const found = (liveCodes: number) => luckyGuessesAYear({ liveCodes, unseenTriesPerHour });
  if (unseenTriesPerHour === 0) {
    const sentence = "No app pairs without a yes in the panel, so guessing codes finds nothing.";
    return { check, state: "ok", sentence };
  }
  const sentence =
    `Anyone who guesses pairing codes all year, at full speed, finds ${shown(found(ONE))} while one code is valid ` +
    `at a time, and ${shown(found(MANY))} while ${MANY.toLocaleString("en")} are.`;
  if (found(ONE) <= 1) return { check, state: "ok", sentence };
  const advice = "Lower SOUNDFERRY_PAIRING_TRIES_OF_ALL, or set SOUNDFERRY_PAIRING_CONSENT=always.";
  return { check, state: "note", sentence, advice };
}

/** Two digits that count, such as 0.0059 and 5.9. */
function shown(expected: number): string {
  return String(Number(expected.toPrecision(2)));
}
