import type { TrackPlan } from "../../core/layout/layout.ts";
import type { Difference, Setting } from "../../core/protocol/package-status.ts";
import type { HeldSettings } from "../hosts/host.ts";

/**
 * How far a number may be off and still count as the same: what a host loses by keeping 32-bit
 * floats, or by giving a tempo back as positions of markers. Nobody hears it: 0.001 beats last 3 ms
 * at 20 BPM and less at any other tempo.
 */
const TOLERANCES = { loopEndBeats: 0.001, tempoBpm: 0.001, gainDb: 0.01 } as const;

/** The settings that are compared, in the order in which they are told, with the names of rule K5. */
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
 * The settings that a host holds otherwise than it was asked to. Nothing is said of a setting that
 * the plan leaves to the host (null) or that the host can't read (left out).
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
