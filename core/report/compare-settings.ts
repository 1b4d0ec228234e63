import type { TrackPlan } from "../layout/layout.ts";
import { formatMarkers, isStraight, straightMarkers } from "../layout/warp-markers.ts";
import type { Difference, Setting } from "../protocol/package-status.ts";
import type { HeldSettings, Tolerances } from "./placed-sound.ts";

/**
 * Differences that count as equal: the precision that a host loses to 32-bit floats, or by deriving a value from
 * marker positions. They are inaudible: 0.001 beats last 3 ms at 20 BPM, and less at any other tempo.
 */
const TOLERANCES: Tolerances = {
  loopEndBeats: 0.001,
  tempoBpm: 0.001,
  gainDb: 0.01,
  seconds: 0.001,
  warpMarkerBeats: 0.001,
};

type Compare = (
  asked: TrackPlan,
  holds: Partial<HeldSettings>,
  tolerances: Tolerances,
) => Omit<Difference, "setting"> | undefined;

/** The compared settings in report order, with their names from rule K5. */
const SETTINGS = {
  track: plainly("trackName"),
  clip: plainly("clipName"),
  file: compareFiles,
  warping: plainly("warping"),
  warp_mode: plainly("warpMode"),
  looping: plainly("looping"),
  start: fromFirstSample("startSeconds"),
  loop_start: fromFirstSample("loopStartSeconds"),
  loop_beats: plainly("loopEndBeats"),
  tempo_bpm: plainly("tempoBpm"),
  warp_markers: compareMarkers,
  color_index: plainly("colorIndex"),
  gain_db: plainly("gainDb"),
} as const satisfies Record<string, Compare>;

/**
 * Returns the settings where the host's value differs from the plan. Skips a setting that the plan
 * leaves to the host (null) or that the host can't read (absent).
 * @param tolerances of the host, where they aren't the default
 */
export function compareSettings(
  asked: TrackPlan,
  holds: Partial<HeldSettings>,
  tolerances: Partial<Tolerances> = {},
): Difference[] {
  const allTolerances = { ...TOLERANCES, ...tolerances };
  return Object.entries(SETTINGS).flatMap(([setting, compare]) => {
    const difference = compare(asked, holds, allTolerances);
    return difference === undefined ? [] : [{ setting, ...difference }];
  });
}

/** Compares a value of the plan with the host's. */
function plainly(key: keyof TrackPlan & keyof HeldSettings): Compare {
  return (plan, holds, tolerances) => {
    const [asked, got] = [plan[key], holds[key]];
    if (asked === null || got === undefined) return undefined;
    return isSame(asked, got, hasTolerance(key) ? tolerances[key] : 0)
      ? undefined
      : inOutput(asked, got);
  };
}

/** Compares a start with the file's first sample, where every clip and loop must start. */
function fromFirstSample(key: "startSeconds" | "loopStartSeconds"): Compare {
  return (_, holds, { seconds }) => {
    const got = holds[key];
    return got === undefined || isSame(0, got, seconds) ? undefined : inOutput(0, got);
  };
}

/** Compares warp markers, except those of a guessed tempo. */
function compareMarkers(
  { tempoBpm, loopEndBeats }: TrackPlan,
  { warpMarkers }: Partial<HeldSettings>,
  tolerances: Tolerances,
): ReturnType<Compare> {
  if (warpMarkers === undefined || tempoBpm === null || loopEndBeats === null) return undefined;
  const line = { tempoBpm, endBeats: loopEndBeats };
  if (isStraight(warpMarkers, line, tolerances)) return undefined;
  return { asked: formatMarkers(straightMarkers(line)), got: formatMarkers(warpMarkers) };
}

/** Compares the paths but reports only names: apps read them (rule N2). */
function compareFiles(_: TrackPlan, { file }: Partial<HeldSettings>): ReturnType<Compare> {
  if (file === undefined || file.asked === file.got) return undefined;
  const [asked, got] = [baseName(file.asked), baseName(file.got)];
  return { asked, got: asked === got ? `${got} in another folder` : got };
}

function hasTolerance(key: string): key is keyof Tolerances {
  return Object.hasOwn(TOLERANCES, key);
}

function isSame(asked: Setting, got: Setting, tolerance: number): boolean {
  if (typeof asked !== "number" || typeof got !== "number") return asked === got;
  return Math.abs(asked - got) <= tolerance;
}

function inOutput(asked: Setting, got: Setting): Omit<Difference, "setting"> {
  return { asked: roundForOutput(asked), got: roundForOutput(got) };
}

function roundForOutput(setting: Setting): Setting {
  return typeof setting === "number" ? Number(setting.toFixed(6)) : setting;
}

/** Returns a path's last part; a host's paths may be another system's. */
function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
