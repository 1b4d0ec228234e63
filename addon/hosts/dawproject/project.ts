import type { WarpMode } from "../../../core/manifest/manifest.ts";

/**
 * A DAWproject before it is printed: what there is to say, without the format's words. Beats are
 * quarter notes, also where the time signature counts others.
 */
export interface Project {
  readonly title: string;
  readonly tempoBpm: number;
  readonly timeSignature: readonly [beats: number, unit: number];
  /** Each has a sound at least. */
  readonly scenes: readonly ProjectScene[];
}

/** One package: its tracks, each with a clip in the scene's slot. */
export interface ProjectScene {
  readonly name: string;
  readonly tracks: readonly ProjectTrack[];
  /** Where it begins on the timeline; null where nothing is laid out there. */
  readonly startBeats: number | null;
}

/** A track for one sound. */
export interface ProjectTrack {
  readonly name: string;
  /** Linear: 1 plays the sound as it is. */
  readonly volume: number;
  readonly clip: ProjectClip;
  /** The clip on the timeline, one after the other; none where nothing is laid out there. */
  readonly passes: readonly ClipPass[];
}

export interface ProjectClip {
  readonly name: string;
  /** `#rrggbb` */
  readonly colour: string;
  readonly audio: ProjectAudio;
  /** null: it plays at the speed of its file. */
  readonly warp: ClipWarp | null;
  /** Whether it begins anew when it is through. */
  readonly looping: boolean;
  /** How long it plays once through, at the project's tempo. */
  readonly durationBeats: number;
}

/** A file that lies in the project. */
export interface ProjectAudio {
  /** Inside the file, such as `audio/Kick.wav`. */
  readonly path: string;
  readonly durationSeconds: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** The clip follows the project's tempo, evenly from its first sample to its last. */
export interface ClipWarp {
  readonly mode: WarpMode;
  /** The beat that the file's end falls on. */
  readonly fileEndBeats: number;
}

/** The clip once on the timeline. */
export interface ClipPass {
  readonly startBeats: number;
  readonly durationBeats: number;
  /** Whether it goes round within the duration. */
  readonly isLooping: boolean;
}
