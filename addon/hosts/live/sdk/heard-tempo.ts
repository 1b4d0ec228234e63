import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { isStraight } from "../../../../core/layout/warp-markers.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import type { HeldSettings, Tolerances } from "../../host.ts";

/** The relative error of a detected tempo that is still accepted (rule H6): a beat in 1000. */
const TOLERANCE = 0.001;
/** The rounding error of a tempo that is derived from marker positions. */
const NOISE_BPM = 0.001;
const UNTOLD = "Live can't be told this loop's tempo without the Soundferry control surface.";

/** Returns whether Live detected another tempo than the loop's own. */
export function isHeardWrong(
  { tempoBpm }: Pick<TrackPlan, "tempoBpm">,
  heardBpm: number | null | undefined,
): boolean {
  if (tempoBpm === null || typeof heardBpm !== "number") return false;
  return Math.abs(heardBpm / tempoBpm - 1) > TOLERANCE;
}

/**
 * Returns how far Live's warp may be off: its detection is rarely exact, and reporting each deviation as a
 * difference would hide the ones that matter.
 */
export function warpTolerances({
  tempoBpm,
  loopEndBeats,
}: Pick<TrackPlan, "tempoBpm" | "loopEndBeats">): Partial<Tolerances> {
  if (tempoBpm === null || loopEndBeats === null) return {};
  return { tempoBpm: tempoBpm * TOLERANCE, warpMarkerBeats: loopEndBeats * TOLERANCE };
}

/** Returns a note where Live's tempo is close but not exact, or where it is wrong. */
export function tempoNotes(
  plan: Pick<TrackPlan, "tempoBpm" | "loopEndBeats">,
  { tempoBpm: heardBpm, warpMarkers }: Pick<Partial<HeldSettings>, "tempoBpm" | "warpMarkers">,
): readonly string[] {
  const { tempoBpm, loopEndBeats } = plan;
  if (tempoBpm === null || loopEndBeats === null || typeof heardBpm !== "number") return [];
  const line = { tempoBpm, endBeats: loopEndBeats };
  const tolerances = { tempoBpm: 0, warpMarkerBeats: 0, ...warpTolerances(plan) };
  const isBent = warpMarkers !== undefined && !isStraight(warpMarkers, line, tolerances);
  if (isBent || isHeardWrong(plan, heardBpm)) return [UNTOLD];
  if (Math.abs(heardBpm - tempoBpm) <= NOISE_BPM) return [];
  return [`Live detects ${formatNumber(heardBpm)} BPM, close enough to ${formatNumber(tempoBpm)}.`];
}
