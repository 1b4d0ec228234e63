import type { WarpMode } from "../manifest/manifest.ts";

/** The model of a DAWproject, independent of its XML. Beats are quarter notes in every time signature. */
export interface Project {
  readonly title: string;
  readonly tempoBpm: number;
  readonly timeSignature: readonly [beats: number, unit: number];
  /** The scenes, each with at least one sound. */
  readonly scenes: readonly ProjectScene[];
}

/** One package as a scene: its tracks, each with a clip in the scene's slot. */
export interface ProjectScene {
  readonly name: string;
  readonly tracks: readonly ProjectTrack[];
  /** The scene's start on the timeline; null without an arrangement. */
  readonly startBeats: number | null;
}

export interface ProjectTrack {
  readonly name: string;
  /** The linear volume; 1 is unchanged. */
  readonly volume: number;
  readonly clip: ProjectClip;
  /** The clip's passes on the timeline; empty without an arrangement. */
  readonly passes: readonly ClipPass[];
}

export interface ProjectClip {
  readonly name: string;
  /** The color as `#rrggbb`. */
  readonly color: string;
  readonly audio: ProjectAudio;
  /** The clip's warp; null plays at the file's own speed. */
  readonly warp: ClipWarp | null;
  readonly looping: boolean;
  /** The length of one pass at the project's tempo. */
  readonly durationBeats: number;
}

/** An audio file in the project. */
export interface ProjectAudio {
  /** The path inside the ZIP, such as `audio/Kick.wav`; of an external file, from the project's folder. */
  readonly path: string;
  /** True for a file outside the ZIP (rule F10); false by default. */
  readonly isExternal?: boolean;
  readonly durationSeconds: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** The warp of a clip that follows the project's tempo evenly. */
export interface ClipWarp {
  readonly mode: WarpMode;
  /** The beat at the file's end. */
  readonly fileEndBeats: number;
}

/** One pass of a clip on the timeline. */
export interface ClipPass {
  readonly startBeats: number;
  readonly durationBeats: number;
  /** True if the clip loops within the duration. */
  readonly isLooping: boolean;
}
