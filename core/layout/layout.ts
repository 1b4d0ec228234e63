import type { SoundKind, Warning, WarpMode } from "../manifest/manifest.ts";

/**
 * A package's plan for the host: one scene, with one audio track and clip per sound.
 * `Layout<number | null>`: made outside an importer, where null is an automatic color (rule T4). A host
 * always gets numbers.
 */
export interface Layout<Color extends number | null = number> {
  readonly packageId: string;
  readonly scene: { readonly name: string };
  /** Settings for a host that creates a session. */
  readonly session: SessionPlan;
  /** The sounds in the package's order. */
  readonly tracks: readonly PlannedSound<Color>[];
  readonly warnings: readonly Warning[];
}

/** Session settings from the manifest; null if it has none. */
export interface SessionPlan {
  /** `tempo.bpm`, `MIN_BPM` to `MAX_BPM`. */
  readonly tempoBpm: number | null;
  /** Beats per bar and their unit, such as `[3, 4]`. */
  readonly timeSignature: readonly [beats: number, unit: number] | null;
}

/** One sound of a layout: its track, or why it has none. */
export type PlannedSound<Color extends number | null = number> = TrackPlan<Color> | UnusableSound;

/** A track with one clip in the scene's slot, and every setting to request from the host. */
export interface TrackPlan<Color extends number | null = number> {
  readonly soundId: string;
  readonly trackName: string;
  readonly clipName: string;
  readonly kind: SoundKind;
  readonly warping: boolean;
  /** null for a one-shot. */
  readonly warpMode: WarpMode | null;
  readonly looping: boolean;
  /** End of the loop in beats from the file's start; null if the host guesses, and for a one-shot. */
  readonly loopEndBeats: number | null;
  /** The file's original tempo; null if the host guesses, and for a one-shot. */
  readonly tempoBpm: number | null;
  /** Index into the palette; null if the importer chooses it. */
  readonly colorIndex: Color;
  /** -70 to +24; 0 leaves the level unchanged. */
  readonly gainDb: number;
  /** Sentences for the person who imports. */
  readonly notes: readonly string[];
}

/** A sound that can't be used; the other sounds are planned as usual. */
export interface UnusableSound {
  readonly soundId: string;
  readonly trackName: string;
  readonly clipName: string;
  readonly kind: SoundKind;
  /** A sentence that says why. */
  readonly error: string;
}

/** Returns the quarter notes in a bar, since those are the beats of a tempo; 4 without a time signature. */
export function beatsPerBar({ timeSignature }: Pick<SessionPlan, "timeSignature">): number {
  const [beats, unit] = timeSignature ?? [4, 4];
  return (beats * 4) / unit;
}
