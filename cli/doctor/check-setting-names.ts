import type { SettingsSource } from "../../core/settings.ts";
import { judgeSettingNames } from "../setting-names.ts";
import type { Finding } from "./finding.ts";

/** Variables that look like settings and are none (rule K12). Nothing if there are none. */
export function checkSettingNames(environment: SettingsSource): readonly Finding[] {
  const { problems, warnings } = judgeSettingNames(environment);
  const check = "setting-names";
  return [
    ...problems.map((sentence): Finding => {
      const advice = "Correct or unset it: relay and importer don't start with it.";
      return { check, state: "wrong", sentence, advice };
    }),
    ...warnings.map((sentence): Finding => ({ check, state: "note", sentence })),
  ];
}
