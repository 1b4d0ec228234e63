import type { SoundKind, WarpMode, Warning } from "../manifest/manifest.ts";

/** What a package becomes in the host: one scene, one audio track with one clip per sound. */
export interface Layout {
  readonly packageId: string;
  readonly scene: { readonly name: string };
  /** The package's own, for a host that begins a session with it; null where the package says none. */
  readonly session: SessionPlan;
  /** In the package's order. */
  readonly tracks: readonly PlannedSound[];
  readonly warnings: readonly Warning[];
}

/** What a package says of the session as a whole. */
export interface SessionPlan {
  /** `tempo.bpm`, `MIN_BPM` to `MAX_BPM`. */
  readonly tempoBpm: number | null;
  /** Beats to the bar and what a beat is, such as `[3, 4]`. */
  readonly timeSignature: readonly [beats: number, unit: number] | null;
}

/** One sound of a layout: its track, or why there is none. */
export type PlannedSound = TrackPlan | UnusableSound;

/** A track with one clip in the scene's slot, and every setting the host is asked for. */
export interface TrackPlan {
  readonly soundId: string;
  readonly trackName: string;
  readonly clipName: string;
  readonly kind: SoundKind;
  readonly warping: boolean;
  /** null for a one-shot. */
  readonly warpMode: WarpMode | null;
  readonly looping: boolean;
  /** End of the loop in beats from the start of the file; null where the host guesses, and for a one-shot. */
  readonly loopEndBeats: number | null;
  /** Tempo the file was made at; null where the host guesses, and for a one-shot. */
  readonly tempoBpm: number | null;
  /** Index into the palette. */
  readonly colorIndex: number;
  /** -70 to +24; 0 plays the file as it is. */
  readonly gainDb: number;
  /** Sentences for the person who imports. */
  readonly notes: readonly string[];
}

/** A sound that can't be used; the rest of the package is laid out without it. */
export interface UnusableSound {
  readonly soundId: string;
  readonly trackName: string;
  readonly clipName: string;
  readonly kind: SoundKind;
  /** A sentence that says why. */
  readonly error: string;
}
