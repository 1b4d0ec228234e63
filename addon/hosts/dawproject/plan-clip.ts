import type { TrackPlan } from "../../../core/layout/layout.ts";
import { formatColor } from "../../../core/layout/palette.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { ClipWarp, ProjectAudio, ProjectClip } from "./project.ts";

/** The end of many DAWs' faders. */
const FADER_END_DB = 6;

/**
 * Plans a sound's clip (rules D2, D3). A loop with a known length in beats follows the tempo; others
 * loop at the file's own speed, because the format can't request tempo detection.
 */
export function planClip(plan: TrackPlan, audio: ProjectAudio, tempoBpm: number): ProjectClip {
  const head = {
    name: plan.clipName,
    color: formatColor(plan.colorIndex).toLowerCase(),
    audio,
    looping: plan.looping,
  };
  const { loopEndBeats } = plan;
  const warp = planWarp(plan, audio.durationSeconds);
  if (warp !== null && loopEndBeats !== null) {
    return { ...head, warp, durationBeats: loopEndBeats };
  }
  return { ...head, warp: null, durationBeats: (audio.durationSeconds * tempoBpm) / 60 };
}

/** Returns notes for what the format can't express (rules D3, D4). */
export function notesOn(plan: Omit<TrackPlan, "colorIndex">): readonly string[] {
  const { warping, loopEndBeats, tempoBpm, gainDb } = plan;
  const notes: string[] = [];
  if (warping && loopEndBeats === null) {
    notes.push(
      "A DAWproject can't leave the tempo to be guessed: the clip is unwarped and loops over the whole file.",
    );
  } else if (warping && loopEndBeats !== null && tempoBpm === null) {
    const beats = `${formatNumber(loopEndBeats)} ${loopEndBeats === 1 ? "beat" : "beats"}`;
    notes.push(
      `A DAWproject can't leave the tempo to be guessed: the file is warped to fill ${beats}.`,
    );
  }
  if (gainDb > FADER_END_DB) {
    const gain = formatNumber(gainDb);
    notes.push(`The gain of +${gain} dB is set as track volume; many DAWs allow at most +6 dB.`);
  }
  return notes;
}

function planWarp(plan: TrackPlan, fileSeconds: number): ClipWarp | null {
  const { warpMode, loopEndBeats, tempoBpm } = plan;
  if (!plan.warping || warpMode === null || loopEndBeats === null) return null;
  const fileEndBeats = tempoBpm === null ? loopEndBeats : (fileSeconds * tempoBpm) / 60;
  return { mode: warpMode, fileEndBeats };
}
