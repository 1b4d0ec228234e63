/** The behavior of a stand-in Live: known or feared habits of the real one, each with its own switch. */
export interface LiveHabits {
  /** Whole numbers are read as BigInt. */
  readonly givesBigInts: boolean;
  /** A clip takes its color as a BigInt only, as in an early version. */
  readonly wantsBigIntColor: boolean;
  /** A rejection says nothing: it carries `undefined`. */
  readonly losesReasons: boolean;
  /** Calls that are under way together happen in an order that the seed decides, and answer in another. */
  readonly shuffles: boolean;
  readonly seed: number;
  /** Place of the selected track, right of which new ones are made; null where none is selected. */
  readonly selectedTrack: number | null;
  /** True if each read returns a new object for the same thing. */
  readonly givesFreshObjects: boolean;
  /** Objects have a `handle`. */
  readonly hasHandles: boolean;
  /** An object throws after its deletion; otherwise it keeps its last values. */
  readonly throwsWhenDead: boolean;
  /** Tracks that come with a clip in every slot, counted from 0 in the order in which they were made. */
  readonly occupiedTracks: readonly number[];
  /** A Set that was never saved has no project to import into. */
  readonly isSaved: boolean;
  /** The tempo that Live detects in a file. */
  readonly guess: WarpGuess;
  /** Live's preference for a clip that is made without `isWarped`. */
  readonly warpsByItself: boolean;
  /** A saved analysis of the file says whether a clip is warped and loops, as `warpsByItself` does, whatever was asked. */
  readonly goesByAnalysis: boolean;
  /** The second at which Live hears a file's first beat, at most half of it: a warped clip's beat 0 is there … */
  readonly warpedStart: number;
  /** … and an unwarped one starts there, unless it is told where. */
  readonly unwarpedStart: number;
  /** The beats by which a marker in the middle of the file is off; the tempo from start to end is right. */
  readonly driftBeats: number;
  readonly refusesLoopSettings: boolean;
  /** The unit of an unwarped clip's loop settings. */
  readonly unwarpedUnit: "seconds" | "beats";
  /** Clip slots know their track. */
  readonly slotsHaveParents: boolean;
  /** The number of times that a modal dialog is refused after another has closed. */
  readonly refusedDialogs: number;
  /** True if all paths that Live returns begin with `\\?\`, as they may on Windows. */
  readonly prefixesPaths: boolean;
  /** The existing ones of the two folders that an extension may write to. */
  readonly storage: FolderState;
  readonly temp: FolderState;
  /** Live's language; undefined where Live doesn't tell. */
  readonly language: unknown;
  /** Tracks that the Set begins with, from left to right. */
  readonly firstTracks: readonly { readonly kind: "audio" | "midi"; readonly name: string }[];
  /** Names of the scenes that the Set begins with. */
  readonly firstScenes: readonly string[];
  readonly firstTempoBpm: number;
}

/**
 * `near set`: a power of two of beats, the one that is nearest to the Set's tempo, as Live prefers. `half`, `double` and
 * `off` (3 % too fast) go wrong from there; a number is the tempo itself, in BPM.
 */
export type WarpGuess = "near set" | "half" | "double" | "off" | number;

export type FolderState = "there" | "not made" | "not told";

/** The worst habits with which an import can still succeed completely. */
export const WORST_HABITS: LiveHabits = {
  givesBigInts: true,
  wantsBigIntColor: true,
  losesReasons: true,
  shuffles: true,
  seed: 1,
  selectedTrack: 0,
  givesFreshObjects: true,
  hasHandles: true,
  throwsWhenDead: true,
  occupiedTracks: [],
  isSaved: true,
  guess: "near set",
  warpsByItself: true,
  goesByAnalysis: false,
  warpedStart: 0,
  unwarpedStart: 1.5,
  driftBeats: 0,
  refusesLoopSettings: false,
  unwarpedUnit: "seconds",
  slotsHaveParents: true,
  refusedDialogs: 2,
  prefixesPaths: false,
  storage: "not made",
  temp: "not made",
  language: undefined,
  firstTracks: [
    { kind: "midi", name: "1-MIDI" },
    { kind: "audio", name: "2-Audio" },
  ],
  firstScenes: ["Intro", "Verse"],
  firstTempoBpm: 120,
};

/** Faults that happen once or always; numbers of calls are counted from 1. */
export interface LiveFaults {
  /** The call from which Live never returns, as when the extension's process dies: before the call is done … */
  readonly stopBeforeCall?: number;
  /** … or when it is done. Nothing that is called later happens. */
  readonly stopAfterCall?: number;
  /** Called at that moment, before anything else can run. */
  readonly onStop?: () => void;
  /** This call fails, by its number, or the first one whose label matches. */
  readonly failsOnce?: number | RegExp;
  /** The labels of calls that fail. */
  readonly failsAlways?: RegExp;
  /** The labels of setters that silently do nothing. */
  readonly ignores?: RegExp;
}

/** A call that changes something: making, deleting, a setter, an import, a transaction. */
export interface LiveCall {
  /** Counted from 1. */
  readonly number: number;
  /** Such as `createAudioClip Kick.wav` or `clip.color = 16711680`. */
  readonly label: string;
}
