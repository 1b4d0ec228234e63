import type { PanelSound, PanelTrackPlan } from "../../../core/protocol/panel-api.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { formatRole } from "../../../core/page/format-role.ts";
import { formatDuration } from "../../../core/page/format-span.ts";
import { formatWarpMode } from "../../../core/page/format-setting.ts";

/**
 * Describes a sound in short pieces: `Loop`, `Drums`, `126 BPM`, `16 beats`, `Warp Beats`. Leaves out
 * what the host will detect, and what isn't planned yet.
 */
export function formatSound(
  sound: PanelSound,
  track: PanelTrackPlan | undefined,
): readonly string[] {
  const pieces = [sound.kind === "loop" ? "Loop" : "One-shot"];
  if (sound.role !== null) pieces.push(formatRole(sound.role));
  if (track === undefined || "error" in track) return pieces;
  if (track.tempoBpm !== null) pieces.push(`${formatNumber(track.tempoBpm, 2)} BPM`);
  if (track.loopEndBeats !== null) pieces.push(formatBeats(track.loopEndBeats));
  else if (track.durationSeconds !== null) pieces.push(formatDuration(track.durationSeconds));
  if (track.warpMode !== null) pieces.push(`Warp ${formatWarpMode(track.warpMode)}`);
  if (track.gainDb !== 0) pieces.push(formatGain(track.gainDb));
  return pieces;
}

function formatBeats(beats: number): string {
  return `${formatNumber(beats)} ${beats === 1 ? "beat" : "beats"}`;
}

function formatGain(gainDb: number): string {
  return `${gainDb < 0 ? "−" : "+"}${formatNumber(Math.abs(gainDb), 1)} dB`;
}
