import { luckyGuessesAYear } from "../../core/protocol/lucky-guesses.ts";
import type { SettingsSource } from "../../core/settings.ts";
import type { RelaySettings } from "../../relay/settings.ts";
import { judgeSettingNames } from "../setting-names.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

/** Reports variables that look like settings but aren't (rule K12). */
export function checkSettingNames(environment: SettingsSource): readonly Finding[] {
  const { problems, warnings } = judgeSettingNames(environment);
  const check = "setting-names";
  return [
    ...problems.map((sentence) =>
      wrong(check, sentence, "Correct or unset it: relay and importer don't start with it."),
    ),
    ...warnings.map((sentence) => note(check, sentence)),
  ];
}

/** A quiet relay, and a busy one. */
const [ONE, MANY] = [1, 1000] as const;

/** Reports how many pairing codes strangers would find (rule P6) with the settings in force. */
export function checkGuesses({
  pairingTriesOfAll,
  pairingConsent,
}: Pick<RelaySettings, "pairingTriesOfAll" | "pairingConsent">): Finding {
  const check = "pairing-guesses";
  const unseenTriesPerHour = pairingConsent === "always" ? 0 : pairingTriesOfAll;
  const found = (liveCodes: number) => luckyGuessesAYear({ liveCodes, unseenTriesPerHour });
  if (unseenTriesPerHour === 0) {
    return ok(check, "No app pairs without a yes in the panel, so guessing codes finds nothing.");
  }
  const sentence =
    `Anyone who guesses pairing codes all year, at full speed, finds ${shown(found(ONE))} while one code is valid ` +
    `at a time, and ${shown(found(MANY))} while ${MANY.toLocaleString("en")} are.`;
  if (found(ONE) <= 1) return ok(check, sentence);
  const advice = "Lower SOUNDFERRY_PAIRING_TRIES_OF_ALL, or set SOUNDFERRY_PAIRING_CONSENT=always.";
  return note(check, sentence, advice);
}

/** Formats a number with two significant digits, such as 0.0059 and 5.9. */
function shown(expected: number): string {
  return String(Number(expected.toPrecision(2)));
}
