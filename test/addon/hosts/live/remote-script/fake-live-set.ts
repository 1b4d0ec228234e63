/** A Set as the fake Live tells and takes it. When it is given, anything may be left out. */
export interface FakeSet {
  readonly name: string;
  /** Empty for a Set that was never saved. */
  readonly filePath: string;
  readonly tempo: number;
  readonly isPlaying: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** Places, or null. */
  readonly selectedTrack: number | null;
  readonly selectedScene: number | null;
  /** The place of the clip that the detail view shows. */
  readonly detailClip: readonly [track: number, scene: number] | null;
  readonly scenes: readonly FakeScene[];
  readonly tracks: readonly FakeTrack[];
}

export interface FakeScene {
  /** The same for as long as the Set is open. */
  readonly id: number;
  readonly name: string;
  readonly colorIndex: number | null;
  readonly tempo: number | null;
  readonly hasTimeSignature: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FakeTrack {
  readonly id: number;
  readonly kind: "audio" | "midi" | "group";
  readonly name: string;
  readonly colorIndex: number;
  /** 0.85 is 0 dB. */
  readonly volume: number;
  readonly arm: boolean;
  readonly isFrozen: boolean;
  readonly inputType: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** One for each scene. */
  readonly clips: readonly (FakeClip | null)[];
}

/** Ends are beats in a warped clip and seconds in another, unless their name says seconds. */
export interface FakeClip {
  readonly id: number;
  readonly name: string;
  readonly colorIndex: number;
  readonly filePath: string;
  readonly frames: number;
  readonly sampleRate: number;
  readonly warping: boolean;
  readonly warpMode: number;
  readonly looping: boolean;
  /** Visible markers, in seconds and beats. */
  readonly markers: readonly (readonly [seconds: number, beat: number])[];
  /** The hidden last marker. */
  readonly shadow: readonly [seconds: number, beat: number];
  /** Start and end marker, and the loop, as held. */
  readonly play: readonly [start: number, end: number];
  readonly brace: readonly [start: number, end: number];
  /** The same as Live's properties tell them. */
  readonly loopStart: number;
  readonly loopEnd: number;
  readonly startMarker: number;
  readonly endMarker: number;
  /** The clips that play. */
  readonly startSeconds: number;
  readonly loopStartSeconds: number;
  readonly endSeconds: number;
  readonly gain: number;
  /** Null for silence. */
  readonly gainDb: number | null;
  readonly pitchCoarse: number;
  readonly pitchFine: number;
}

/** A Set to open: a dumped one, or as much of one as a test cares about. Two tracks and eight scenes by default. */
export type FakeSetGiven = Partial<Omit<FakeSet, "scenes" | "tracks">> & {
  readonly scenes?: readonly Partial<FakeScene>[];
  readonly tracks?: readonly (Partial<Omit<FakeTrack, "clips">> & {
    readonly clips?: readonly (Partial<FakeClip> | null)[];
  })[];
};
