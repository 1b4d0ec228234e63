/** The body of a `place` request (docs/use/live.md). */
export interface PlaceMessage {
  readonly run: string;
  readonly package: string;
  /** The Set's new tempo in BPM; null to keep it. */
  readonly tempo: number | null;
  readonly scene: SceneMessage;
  readonly tracks: readonly TrackMessage[];
}

export interface SceneMessage {
  readonly name: string;
  /** Index into Live's palette. */
  readonly color: number;
  /** In BPM; null for none. */
  readonly tempo: number | null;
  /** The new scene's row, -1 for the end, null for below the selected scene. */
  readonly index: number | null;
}

export interface TrackMessage {
  readonly sound: string;
  /** The run in the mark of the earlier track that gets the clip; null for a new track. */
  readonly on: string | null;
  readonly name: string;
  readonly color: number;
  /** Absolute, without links. */
  readonly file: string;
  readonly clip: {
    readonly name: string;
    readonly color: number;
    readonly warping: boolean;
    /** Live's number of the mode; null to leave it. */
    readonly warp_mode: number | null;
    readonly looping: boolean;
    readonly attempts: readonly WarpAttempt[];
    readonly gain: { readonly db: number; readonly value: number | null };
  };
}

/** One way to lay a clip over its file; the next one is tried where Live refuses it. */
export interface WarpAttempt {
  /** Seconds and beats; null to keep Live's. */
  readonly markers: readonly (readonly [seconds: number, beats: number])[] | null;
  /** In beats if warped, in seconds if not; null for the file's first sample. */
  readonly start: number | null;
  /** Like `start`; null for Live's own. */
  readonly end: number | null;
  /** The loop's length from a `start` of null. */
  readonly beats?: number;
}
