import type { WarpMarker } from "../layout/warp-markers.ts";
import type { FileSession } from "../layout/plan-session.ts";

/** The model of a Live Set, independent of its XML. */
export interface SetPlan extends FileSession {
  /** The scenes, each with at least one sound. */
  readonly scenes: readonly SetScene[];
}

/** One package as a scene: its tracks, each with a clip in the scene's slot. */
export interface SetScene {
  readonly name: string;
  readonly tracks: readonly SetTrack[];
}

export interface SetTrack {
  readonly name: string;
  readonly clip: SetClip;
}

export interface SetClip {
  readonly name: string;
  readonly colorIndex: number;
  readonly audio: SetAudio;
  readonly warping: boolean;
  /** One of Live's numbers. */
  readonly warpMode: number;
  readonly looping: boolean;
  /** The end of clip and loop: in beats if it is warped, else in seconds. */
  readonly end: number;
  /** The length in beats at the Set's tempo. */
  readonly lengthBeats: number;
  /** All warp markers, the hidden last one included; an unwarped clip has those that it would get. */
  readonly markers: readonly WarpMarker[];
  /** The linear gain; 1 is unchanged. */
  readonly gain: number;
}

/** The place of a file: from the Set's own folder, or from its project's. */
export interface SetFile {
  readonly from: "set" | "project";
  /** With `/` on every system, such as `../Kick.wav`. */
  readonly relativePath: string;
  /** The absolute path, with `/` on every system; empty where it isn't known. */
  readonly path: string;
}

/** An audio file that a Set refers to. */
export interface SetAudio {
  readonly file: SetFile;
  readonly sizeBytes: number;
  /** `crc16` of the file. */
  readonly crc: number;
  /** The time of the last change, in whole seconds since 1970. */
  readonly modifiedSeconds: number;
  readonly frames: number;
  readonly sampleRateHz: number;
}
