import type { WavHeader } from "../audio/wav-header.ts";
import { trackJson } from "../layout/layout-json.ts";
import { beatsPerBar, type Layout } from "../layout/layout.ts";
import { formatColor } from "../layout/palette.ts";
import type { ImportedTrack, ImportOutcome } from "../protocol/import-outcome.ts";
import type { PanelOutcome, PanelPlan, PanelTrackPlan } from "../protocol/panel-api.ts";

/** Sound id → its header, or a sentence that says why it can't be used. */
export type ReadHeaders = ReadonlyMap<string, WavHeader | { readonly error: string }>;

/** The preview of an import, if the package is the next one (rule N6). */
export interface PackagePlan {
  readonly layout: Layout;
  readonly sounds: ReadHeaders;
}

/** Maps a plan to the panel's preview (rule N6). */
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

/** Maps a finished import to the panel's. @param folderName of the package; null without usable sounds */
export function panelOutcomeOf(
  { status, tracks }: Pick<ImportOutcome, "status" | "tracks">,
  folderName: string | null,
): PanelOutcome {
  return { status, folder: folderName, tracks: tracks.map(outcomeTrackOf) };
}

function outcomeTrackOf(imported: ImportedTrack): PanelOutcome["tracks"][number] {
  const { id, status, track, clip, notes, differences, error, earlier } = imported;
  const common = { id, status, track, clip, notes, differences, error };
  return earlier === undefined ? common : { ...common, earlier };
}

/** Returns the common tempo of all loops, except those whose tempo the host detects; null if there is none. */
function oneTempoOf(tracks: readonly PanelTrackPlan[]): number | null {
  const tempi = new Set(tracks.map((track) => ("error" in track ? null : track.tempoBpm)));
  tempi.delete(null);
  const [tempo = null] = tempi;
  return tempi.size === 1 ? tempo : null;
}
