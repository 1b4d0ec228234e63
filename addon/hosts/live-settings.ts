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

/** Off by default: launching the scene then changes the whole Set's tempo (rule H15). */
export const WRITE_SCENE_TEMPO: HostSetting = {
  id: "scene-tempo",
  variable: "SOUNDFERRY_SCENE_TEMPO",
  kind: "switch",
  default: false,
  label: "Write the package's tempo into the scene",
  help: "Writes the package's tempo into the scene; launching it sets the Set's tempo.",
};

/** Live's settings; outside live/, because every importer offers them. */
export const LIVE_SETTINGS: readonly HostSetting[] = [CORRECT_TEMPO, WRITE_SCENE_TEMPO];
