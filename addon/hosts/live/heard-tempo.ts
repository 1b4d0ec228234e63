import type { TrackPlan } from "../../../core/layout/layout.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { HeldSettings } from "../host.ts";

/** The part by which Live may hear another tempo in a loop before it counts (rule H6). */
const TOLERANCE = 0.005;
/** What a tempo in BPM loses on its way through the positions of markers. */
const NOISE_BPM = 0.001;

type Heard = number | null | undefined;

/** Whether Live heard a tempo in a loop that is not the loop's own. */
export function isHeardWrong({ tempoBpm }: Pick<TrackPlan, "tempoBpm">, heardBpm: Heard): boolean {
  if (tempoBpm === null || typeof heardBpm !== "number") return false;
  return Math.abs(heardBpm / tempoBpm - 1) > TOLERANCE;
}

/**
 * Takes a tempo that is near enough out of what is compared, and tells it in a note instead: Live's
 * guesses are seldom exact to the last digit, and a report that calls each a difference hides the
 * ones that matter.
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
