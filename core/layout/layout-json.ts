import type { SoundKind, WarpMode, Warning } from "../manifest/manifest.ts";
import type { Layout, PlannedSound, TrackPlan } from "./layout.ts";

/** A layout as the command line prints it with `--json` (rule K5). */
export interface LayoutJson {
  readonly scene: { readonly name: string };
  readonly tracks: readonly TrackJson[];
  readonly warnings: readonly Warning[];
}

/** One sound of a layout as JSON. */
export type TrackJson = UsableTrackJson | UnusableTrackJson;

interface TrackNamesJson {
  /** The sound's id. */
  readonly id: string;
  readonly track: string;
  readonly clip: string;
  readonly kind: SoundKind;
}

export interface UsableTrackJson extends TrackNamesJson {
  readonly warping: boolean;
  /** null for a one-shot. */
  readonly warp_mode: WarpMode | null;
  readonly looping: boolean;
  /** null if the host guesses, and for a one-shot; at most 6 decimals. */
  readonly loop_beats: number | null;
  /** null if the host guesses, and for a one-shot; at most 6 decimals. */
  readonly tempo_bpm: number | null;
  /** null if the importer chooses it: the color is automatic (rule T4). */
  readonly color_index: number | null;
  readonly gain_db: number;
  readonly notes: readonly string[];
}

export interface UnusableTrackJson extends TrackNamesJson {
  /** A sentence that says why there is no track. */
  readonly error: string;
}

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
