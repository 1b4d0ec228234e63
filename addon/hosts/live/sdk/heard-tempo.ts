import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import type { HeldSettings } from "../../host.ts";

/** The relative error of a detected tempo that is still accepted (rule H6). */
const TOLERANCE = 0.005;
/** The rounding error of a tempo that is derived from marker positions. */
const NOISE_BPM = 0.001;

/** Returns whether Live detected another tempo than the loop's own. */
export function isHeardWrong(
  { tempoBpm }: Pick<TrackPlan, "tempoBpm">,
  heardBpm: number | null | undefined,
): boolean {
  if (tempoBpm === null || typeof heardBpm !== "number") return false;
  return Math.abs(heardBpm / tempoBpm - 1) > TOLERANCE;
}

/**
 * Replaces a tempo within the tolerance by a note: Live's detection is rarely exact, and reporting each
 * deviation as a difference would hide the ones that matter.
 */
export function passNearTempo(
  plan: Pick<TrackPlan, "tempoBpm">,
  holds: Partial<HeldSettings>,
): { readonly holds: Partial<HeldSettings>; readonly notes: readonly string[] } {
  const { tempoBpm: heardBpm, ...others } = holds;
  const { tempoBpm } = plan;
  if (tempoBpm === null || typeof heardBpm !== "number" || isHeardWrong(plan, heardBpm)) {
    return { holds, notes: [] };
  }
  if (Math.abs(heardBpm - tempoBpm) <= NOISE_BPM) return { holds, notes: [] };
  const [heard, asked] = [formatNumber(heardBpm), formatNumber(tempoBpm)];
  return { holds: others, notes: [`Live detects ${heard} BPM, close enough to ${asked}.`] };
}
