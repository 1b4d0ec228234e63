import type { FromSchema } from "../protocol/schemas/schema.ts";
import type { LAYOUT, UNUSABLE_TRACK, USABLE_TRACK } from "./layout-schema.ts";
import type { Layout, PlannedSound, TrackPlan } from "./layout.ts";

/** A layout as the command line prints it with `--json` (rule K5). */
export type LayoutJson = FromSchema<typeof LAYOUT>;

/** One sound of a layout as JSON. */
export type TrackJson = UsableTrackJson | UnusableTrackJson;
export type UsableTrackJson = FromSchema<typeof USABLE_TRACK>;
export type UnusableTrackJson = FromSchema<typeof UNUSABLE_TRACK>;

/** Converts a layout to JSON with keys in a fixed order, so goldens are comparable. */
export function layoutJson(layout: Layout<number | null>): LayoutJson {
  return {
    scene: { name: layout.scene.name },
    tracks: layout.tracks.map(trackJson),
    warnings: layout.warnings,
  };
}

/** Converts one sound to JSON. The only place that rounds beats and tempo (rule K5). */
export function trackJson(sound: TrackPlan<number | null>): UsableTrackJson;
export function trackJson(sound: PlannedSound<number | null>): TrackJson;
export function trackJson(sound: PlannedSound<number | null>): TrackJson {
  const { soundId: id, trackName: track, clipName: clip, kind } = sound;
  const names = { id, track, clip, kind };
  if ("error" in sound) return { ...names, error: sound.error };
  return {
    ...names,
    warping: sound.warping,
    warp_mode: sound.warpMode,
    looping: sound.looping,
    loop_beats: roundForOutput(sound.loopEndBeats),
    tempo_bpm: roundForOutput(sound.tempoBpm),
    color_index: sound.colorIndex,
    gain_db: sound.gainDb,
    notes: sound.notes,
  };
}

function roundForOutput(n: number | null): number | null {
  return n === null ? null : Number(n.toFixed(6));
}
