import type { PanelSound, PanelUsableTrack } from "../../../core/protocol/panel-api.ts";
import { PAGE_RATE_HZ } from "../decode-sound.ts";
import type { PlayableTrack } from "./plan-playback.ts";

/**
 * A planned track of the panel as the player takes it; null while its length is unknown.
 * @param revision changes with the file
 */
export function playablePanelTrack(
  track: PanelUsableTrack,
  { bytes }: Pick<PanelSound, "bytes">,
  revision: string,
): PlayableTrack | null {
  const { durationSeconds } = track;
  if (durationSeconds === null || durationSeconds === 0) return null;
  return {
    id: track.id,
    revision,
    bytes: bytes ?? 0,
    frames: durationSeconds * PAGE_RATE_HZ,
    sampleRateHz: PAGE_RATE_HZ,
    looping: track.looping,
    warp_mode: track.warpMode,
    loop_beats: track.loopEndBeats,
    tempo_bpm: track.tempoBpm,
    gain_db: track.gainDb,
  };
}
