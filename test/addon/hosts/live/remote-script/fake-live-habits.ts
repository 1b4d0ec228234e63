/** The look and behavior of a new clip; may differ by file. */
export interface FakeFileHabits {
  /** The form of a new clip: warped with guessed markers, unwarped, or a short loop with one marker. */
  readonly fresh: "auto-warped" | "unwarped" | "short loop";
  /** The tempo that Live hears, in BPM, or as many beats as fit the Set: 1, 2, 4, 8 … */
  readonly guess: number | "powers of two";
  /** Visible markers that Auto-Warp leaves, the first at these seconds, with segments this much too fast or slow. */
  readonly markersLeft: number;
  readonly firstMarkerSeconds: number;
  readonly drift: number;
  /** The start of an unwarped clip. */
  readonly startMovedSeconds: number;
  readonly freshLooping: boolean;
  readonly freshWarpMode: number;
  readonly freshGain: number;
  readonly freshPitch: readonly [semitones: number, cents: number];
  /** Takes settings from a JSON file with `.asd` after the sound's name, with the names of `ClipState`. */
  readonly readsAsd: boolean;
  /** The markers arrive so many ticks after the clip; they may replace those that the script made. */
  readonly analysisTicks: number;
  /** Another analysis ends so many ticks after the first one; 0 for none. */
  readonly analysisAgainTicks: number;
  readonly analysisOverwrites: "always" | "untouched";
  /** Warping takes effect after the callback (0) or so many ticks later. */
  readonly warpingAfterTicks: number;
  readonly warpingReadsAtOnce: boolean;
  readonly warpingAndMarkers: "raise" | "crash" | "allow";
  /** `by version` crashes before 12.1.5. All but a crash are still recorded as a violation. */
  readonly warpingAndLooping: "by version" | "raise" | "crash" | "allow";
  readonly reanalyzesOnWarp: boolean;
  readonly unwarpingKeepsLooping: boolean;
  readonly loopingTurnsWarpOn: boolean;
  /** The tempo after the last visible marker: as before it, or what Live guessed. */
  readonly shadowSlope: "last segment" | "own";
  readonly shadowRemoval: "doesn't exist" | "can't be deleted";
  readonly markerAtFileEnd: boolean;
  readonly removesLastMarker: boolean;
  readonly unwarpedMarkers: "list" | "empty" | "raises";
  readonly allowsPastFile: boolean;
  /** The distance by which an end may be behind the file's before Live refuses it. */
  readonly endSlackSeconds: number;
  readonly createReturnsClip: boolean;
  /** The file's real tempo. With it, the fake recognizes swapped arguments of a marker. */
  readonly trueBpm: number | null;
}

/** The behavior of the fake Live. `fake-live/live_model/habits.py` has the defaults. */
export interface FakeHabits extends FakeFileHabits {
  readonly version: string;
  readonly variant: "Beta" | "Intro" | "Lite" | "Standard" | "Suite" | "Trial";
  /** Null: the edition's own. */
  readonly limits: { readonly tracks?: number; readonly scenes?: number } | null;
  /** Milliseconds between two ticks as Live counts them, and as they really take when Live runs freely. */
  readonly tickMs: number;
  readonly realTickMs: number;
  /** Ticks in a row when a menu closes. */
  readonly burstAfterPause: number;
  /** The cost of calls, by label such as `Song.create_audio_track`, a setter with `=`, or `*`; slept, or only shown by the clock. */
  readonly callMs: Readonly<Record<string, number>>;
  readonly sleeps: boolean;
  /** Calls that Live refuses, counted from 1 for each entry; every one without `nth`. */
  readonly failing: readonly {
    readonly call: string;
    readonly nth?: number;
    readonly message?: string;
  }[];
  readonly dropsScriptOnError: boolean;
  readonly reusesAddresses: boolean;
  /** The error of a call of what was deleted. */
  readonly deadObjects: "type error" | "other";
  readonly floatsRejectInts: "all" | readonly string[];
  readonly intsRejectBools: boolean;
  readonly boolsRejectInts: boolean;
  readonly markerKeywords: boolean;
  readonly filePaths: "as given" | "resolved";
  readonly gainDigits: number;
  /** The text that Live shows instead of any gain. */
  readonly gainText: string | null;
  readonly minus: string;
  readonly infinity: string;
  readonly newTrackArmed: boolean;
  /** Creating a track, a scene or a clip selects or opens it. */
  readonly creatingSelects: boolean;
  /** Scenes have `set_data`. */
  readonly sceneData: boolean;
  /** A number sign at a track name's start is shown as the track's number, and two as one. */
  readonly numberSigns: boolean;
  readonly inputTypes: readonly string[];
  /** Numbers of the inputs' categories, by name; 0 without one, 6 is none. */
  readonly inputCategories: Readonly<Record<string, number>>;
  /** Calls that are always undo entries of their own. */
  readonly ownUndoEntries: readonly string[];
  readonly stepsEndWithCallback: boolean;
  /** Habits by file name. */
  readonly files: Readonly<Record<string, Partial<FakeFileHabits>>>;
}
