import type { TrackPlan } from "../../core/layout/layout.ts";
import type { Difference, Setting } from "../../core/protocol/package-status.ts";
import type { HeldSettings } from "../hosts/host.ts";

/**
 * Differences that count as equal: what a host loses to 32-bit floats, or by deriving a tempo from
 * marker positions. They are inaudible: 0.001 beats last 3 ms at 20 BPM, and less at any other tempo.
 */
const TOLERANCES = { loopEndBeats: 0.001, tempoBpm: 0.001, gainDb: 0.01 } as const;

/** The compared settings in report order, with their names from rule K5. */
const SETTINGS = [
  ["trackName", "track"],
  ["clipName", "clip"],
  ["warping", "warping"],
  ["warpMode", "warp_mode"],
  ["looping", "looping"],
  ["loopEndBeats", "loop_beats"],
  ["tempoBpm", "tempo_bpm"],
  ["colorIndex", "color_index"],
  ["gainDb", "gain_db"],
] as const satisfies readonly (readonly [keyof HeldSettings, string])[];

/**
 * Returns the settings where the host's value differs from the plan. Skips a setting that the plan
 * leaves to the host (null) or that the host can't read (absent).
 */
export function compareSettings(asked: TrackPlan, holds: Partial<HeldSettings>): Difference[] {
  const differences: Difference[] = [];
  for (const [key, setting] of SETTINGS) {
    const want = asked[key];
    const got = holds[key];
    if (want === null || got === undefined || isSame(key, want, got)) continue;
    differences.push({ setting, asked: roundForOutput(want), got: roundForOutput(got) });
  }
  return differences;
}

function isSame(key: keyof HeldSettings, asked: Setting, got: Setting): boolean {
  if (typeof asked !== "number" || typeof got !== "number" || !hasTolerance(key)) {
    return asked === got;
  }
  return Math.abs(asked - got) <= TOLERANCES[key];
}

function hasTolerance(key: keyof HeldSettings): key is keyof typeof TOLERANCES {
  return Object.hasOwn(TOLERANCES, key);
}

function roundForOutput(setting: Setting): Setting {
  return typeof setting === "number" ? Number(setting.toFixed(6)) : setting;
}
