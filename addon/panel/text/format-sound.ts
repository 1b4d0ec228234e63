import type { PanelSound, PanelTrackPlan } from "../../../core/protocol/panel-api.ts";
import { printNumber } from "../../../core/text/format-number.ts";
import { sayRole } from "../../../core/page/format-role.ts";
import { sayDuration } from "../../../core/page/format-span.ts";
import { sayWarpMode } from "../../../core/page/format-setting.ts";

/**
 * What a sound is and will be, in short pieces: `Loop`, `Drums`, `126 BPM`, `16 beats`, `Warp Beats`.
 * What the host will find out by itself is left out, and so is what no plan is there for yet.
 */
export function saySound(sound: PanelSound, track: PanelTrackPlan | undefined): readonly string[] {
  const pieces = [sound.kind === "loop" ? "Loop" : "One-shot"];
  if (sound.role !== null) pieces.push(sayRole(sound.role));
  if (track === undefined || "error" in track) return pieces;
  if (track.tempo_bpm !== null) pieces.push(`${printNumber(track.tempo_bpm, 2)} BPM`);
  if (track.loop_beats !== null) pieces.push(sayBeats(track.loop_beats));
  else if (track.durationSeconds !== null) pieces.push(sayDuration(track.durationSeconds));
  if (track.warp_mode !== null) pieces.push(`Warp ${sayWarpMode(track.warp_mode)}`);
  if (track.gain_db !== 0) pieces.push(sayGain(track.gain_db));
  return pieces;
}

function sayBeats(beats: number): string {
  return `${printNumber(beats)} ${beats === 1 ? "beat" : "beats"}`;
}

function sayGain(gainDb: number): string {
  return `${gainDb < 0 ? "−" : "+"}${printNumber(Math.abs(gainDb), 1)} dB`;
}
