import { beatsPerBar } from "../../core/layout/layout.ts";
import { trackJson } from "../../core/layout/layout-json.ts";
import { formatColor } from "../../core/layout/palette.ts";
import type { PanelPlan, PanelTrackPlan } from "../../core/protocol/panel-api.ts";
import type { PackagePlan } from "../packages/package-plans.ts";

/** Maps a plan to what the panel shows (rule N6). */
export function panelPlanOf({ layout, sounds }: PackagePlan): PanelPlan {
  const tracks = layout.tracks.map((track): PanelTrackPlan => {
    const header = sounds.get(track.soundId);
    const isRead = header !== undefined && !("error" in header);
    if ("error" in track) return { id: track.soundId, color: null, error: track.error };
    const json = trackJson(track);
    return {
      id: json.id,
      color: formatColor(track.colorIndex),
      warpMode: json.warp_mode,
      looping: json.looping,
      loopEndBeats: json.loop_beats,
      tempoBpm: json.tempo_bpm,
      gainDb: json.gain_db,
      notes: json.notes,
      durationSeconds: isRead ? header.frames / header.sampleRateHz : null,
    };
  });
  return {
    sceneName: layout.scene.name,
    tempoBpm: oneTempoOf(tracks),
    beatsPerBar: beatsPerBar(layout.session),
    tracks,
  };
}

/** Returns the common tempo of all loops, except those whose tempo the host detects; null if there is none. */
function oneTempoOf(tracks: readonly PanelTrackPlan[]): number | null {
  const tempi = new Set(tracks.map((track) => ("error" in track ? null : track.tempoBpm)));
  tempi.delete(null);
  const [tempo = null] = tempi;
  return tempi.size === 1 ? tempo : null;
}
