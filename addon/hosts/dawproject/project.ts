import type { WarpMode } from "../../../core/manifest/manifest.ts";

/** The model of a DAWproject, independent of its XML. Beats are quarter notes in every time signature. */
export interface Project {
  readonly title: string;
  readonly tempoBpm: number;
  readonly timeSignature: readonly [beats: number, unit: number];
  /** Each has at least one sound. */
  readonly scenes: readonly ProjectScene[];
}

/** One package: its tracks, each with a clip in the scene's slot. */
export interface ProjectScene {
  readonly name: string;
  readonly tracks: readonly ProjectTrack[];
  /** Its start on the timeline; null without an arrangement. */
  readonly startBeats: number | null;
}

/** A track for one sound. */
export interface ProjectTrack {
  readonly name: string;
  /** Linear; 1 is unchanged. */
  readonly volume: number;
  readonly clip: ProjectClip;
  /** The clip's passes on the timeline; empty without an arrangement. */
  readonly passes: readonly ClipPass[];
}

export interface ProjectClip {
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly audio: ProjectAudio;
  /** null plays at the file's own speed. */
  readonly warp: ClipWarp | null;
  readonly looping: boolean;
  /** The length of one pass at the project's tempo. */
  readonly durationBeats: number;
}

/** An audio file in the project. */
export interface ProjectAudio {
  /** Inside the ZIP, such as `audio/Kick.wav`. */
  readonly path: string;
  readonly durationSeconds: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** A clip that follows the project's tempo evenly. */
export interface ClipWarp {
  readonly mode: WarpMode;
  /** The beat at the file's end. */
  readonly fileEndBeats: number;
}

/** One pass of a clip on the timeline. */
export interface ClipPass {
  readonly startBeats: number;
  readonly durationBeats: number;
  /** Loops within the duration. */
  readonly isLooping: boolean;
}
