import type { PanelSound, PanelTrackPlan } from "../../../core/protocol/panel-api.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import { formatDuration } from "../../../core/text/format-span.ts";
import { formatBeats, formatGain, formatWarpMode } from "../../../core/text/format-setting.ts";
import { t } from "../../kit/page-language.ts";

/**
 * Describes a sound in short pieces: `Loop`, `Drums`, `126 BPM`, `16 beats`, `Warp Beats`. Leaves out values that the
 * host will detect or that aren't planned yet.
 */
export function formatSound(
  sound: PanelSound,
  track: PanelTrackPlan | undefined,
): readonly string[] {
  const pieces = [t(`format.kind-${sound.kind}`)];
  if (sound.role !== null) pieces.push(formatRole(t, sound.role));
  if (track === undefined || "error" in track) return pieces;
  if (track.tempoBpm !== null) pieces.push(formatTempo(track.tempoBpm));
  if (track.loopEndBeats !== null) pieces.push(formatBeats(t, track.loopEndBeats));
  else if (track.durationSeconds !== null) pieces.push(formatDuration(t, track.durationSeconds));
  if (track.warpMode !== null) {
    pieces.push(t("panel.warp", { mode: formatWarpMode(track.warpMode) }));
  }
  if (track.gainDb !== 0) pieces.push(formatGain(t, track.gainDb));
  return pieces;
}

/** Formats a tempo with at most 2 decimals, such as `97.3 BPM`. */
export function formatTempo(tempoBpm: number): string {
  return t("format.bpm", { value: Number(formatNumber(tempoBpm, 2)) });
}
