import { trackJson } from "../../core/layout/layout-json.ts";
import { formatColor } from "../../core/layout/palette.ts";
import type { PanelPlan, PanelTrackPlan } from "../../core/protocol/panel-api.ts";
import type { PackagePlan } from "../packages/package-plans.ts";

/** What a package will become, as the panel shows it (rule N6). */
export function panelPlanOf({ layout, sounds }: PackagePlan): PanelPlan {
  const tracks = layout.tracks.map((track): PanelTrackPlan => {
    const header = sounds.get(track.soundId);
    const isRead = header !== undefined && !("error" in header);
    return {
      ...trackJson(track),
      color: "error" in track ? null : formatColor(track.colorIndex),
      durationSeconds: isRead ? header.frames / header.sampleRateHz : null,
    };
  });
  return { sceneName: layout.scene.name, tempoBpm: oneTempoOf(tracks), tracks };
}

/** A loop whose tempo the host guesses has no say. */
function oneTempoOf(tracks: readonly PanelTrackPlan[]): number | null {
  const tempi = new Set(tracks.map((track) => ("error" in track ? null : track.tempo_bpm)));
  tempi.delete(null);
  const [tempo = null] = tempi;
  return tempi.size === 1 ? tempo : null;
}
