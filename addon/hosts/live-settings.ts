import type { HostSetting } from "./host.ts";

/** Off by default: untested in a real Live (rule H6). */
export const CORRECT_TEMPO: HostSetting = {
  id: "correct-tempo",
  variable: "SOUNDFERRY_CORRECT_TEMPO",
  kind: "switch",
  default: false,
  label: "Correct the tempo",
  help: "Makes a clip again if Live detects the wrong tempo (untested in a real Live).",
};

/** Live's settings; outside live/, because every importer offers them. */
export const LIVE_SETTINGS: readonly HostSetting[] = [CORRECT_TEMPO];
