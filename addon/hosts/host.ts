import type { Layout, TrackPlan } from "../../core/layout/layout.ts";
import type { WarpMarker } from "../../core/layout/warp-markers.ts";

/**
 * The port to the program that the importer drives: Live, a preview, a file.
 *
 * A host makes one scene and one audio track per usable sound, in the layout's order. It takes each step
 * through `journal.step`, which records it first. A failed sound doesn't stop the others. It returns
 * what it *holds* afterwards, read back, not what was requested.
 * It rejects only when the scene can't be made or `signal` aborts: then nothing of the package stays, or
 * it rejects with a `LeftBehindError` that names what does.
 * The importer provides a file for every usable sound and makes one `place` call at a time.
 */
export interface Host {
  /** One lower-case word, such as `preview`. */
  readonly name: string;
  readonly can: HostAbilities;
  /** Returns whether the program answers now. Absent at a host that always does. Takes under a second. */
  isReady?(): Promise<boolean>;
  /** A sentence for people on what to do while it isn't ready. */
  readonly whenNotReady?: string;
  /** Returns a few words for people, such as `Live 12.1.5 Standard`; its name where absent. Never throws. */
  describe?(): string;
  place(request: PlaceRequest): Promise<readonly PlacedSound[]>;
  /** Returns the session's tempo in BPM, or null where it can't be read. Absent at a host without a tempo. */
  readTempo?(): Promise<number | null>;
  /** Ends what the host keeps open; it may be asked again afterwards. */
  close?(): void;
  /** Settings for the panel, as variables and as flags (rule K3). */
  readonly settings?: readonly HostSetting[];
}

/** A setting that a host declares. The importer reads, stores and shows it, and passes its value to `place`. */
export interface HostSetting {
  /** In kebab case, such as `correct-tempo`; unique at the host. */
  readonly id: string;
  /** The environment variable, also the key of the stored value. */
  readonly variable: string;
  /** A switch is on or off. */
  readonly kind: "switch";
  readonly default: boolean;
  /** The panel's label, such as `Correct the tempo`. */
  readonly label: string;
  /** One sentence for the panel and `--help`. */
  readonly help: string;
}

/** A value for each setting that a host declares, by id. */
export type HostSettingValues = Readonly<Record<string, HostSetting["default"]>>;

export interface HostAbilities {
  /** Copies each file into its own project, so that the importer can delete its copy (rule F5). */
  readonly copiesFiles: boolean;
  /** Recognises and completes what an unfinished run left (rule R4). */
  readonly resumes: boolean;
  /** Can put the clips of another import on the tracks of an earlier one (`reuseTracks`); no by default. */
  readonly reusesTracks?: boolean;
  /** Each import of a package replaces the earlier one, as in a file; no by default. */
  readonly replacesEarlier?: boolean;
}

export interface PlaceRequest {
  readonly layout: Layout;
  /** Absolute path of each usable sound, by sound id. */
  readonly files: ReadonlyMap<string, string>;
  readonly journal: HostJournal;
  readonly signal: AbortSignal;
  /**
   * The person asked to place the package once more, whatever an unfinished run left (rule R4). Without
   * it, a host that can resume may throw `AlreadyPlacedError` where the session shows leftovers.
   */
  readonly again?: boolean;
  /**
   * With `again`, where the host can: each sound's clip goes into the new scene on the track that an earlier
   * import made for it, found by mark (rule R15). Nothing else on that track changes. A sound without such a
   * track, or whose track takes no clip, gets a new one and a note.
   */
  readonly reuseTracks?: boolean;
  /** Where to put the scene, from a host's menu; at the end by default, and where it isn't this host's. */
  readonly after?: HostPlace;
  /** The session's new tempo (rule R6); only for a host with a tempo. */
  readonly sessionTempoBpm?: number;
  /** Only for a host that declares settings. */
  readonly settings?: HostSettingValues;
  /** Called after each sound; the id says which one it was, the next in the layout's order where it is left out. */
  readonly onProgress: (placed: number, total: number, soundId?: string) => void;
}

/** A place in a session, opaque to all but its host. */
export type HostPlace = object;

/** A run's write-ahead journal of its steps at the host (rule R4). */
export interface HostJournal {
  readonly runId: string;
  /** The steps of an earlier, unfinished run of this package, oldest first. */
  readonly earlier: readonly JournalStep[];
  /**
   * Records the step, calls `act` synchronously and records the outcome. Hosts can so group steps that
   * they start together.
   * @param kind.leavesNothing the step adds nothing to the session, for example when it copies a file
   *   into the project: a run that stopped after it can start again without asking
   * @throws {HostStepError} with the label when `act` fails, whatever the reason
   */
  step<Outcome extends JournalOutcome>(
    label: string,
    act: () => Promise<Outcome> | Outcome,
    kind?: { readonly leavesNothing: boolean },
  ): Promise<Outcome>;
}

/** A step's result for a later run, such as the host's id of a new object. */
export type JournalOutcome = string | number | boolean | null | undefined | void;

export interface JournalStep {
  /** Completes “Live couldn't …”, such as `make the track Kick (Looper)`. */
  readonly label: string;
  readonly state: "begun" | "done" | "failed";
  readonly outcome?: string | number | boolean | null;
  /** It adds nothing to the session, whatever its state. */
  readonly leavesNothing?: true;
}

/** The host refused a step; the message says which. */
export class HostStepError extends Error {
  override readonly name = "HostStepError";
}

/** A placement failed and couldn't be undone completely; the message says what stays. */
export class LeftBehindError extends Error {
  override readonly name = "LeftBehindError";
}

export type PlacedSound =
  | { readonly soundId: string; readonly error: string }
  | {
      readonly soundId: string;
      /** What the host holds, without settings that it can't read. */
      readonly holds: Partial<HeldSettings>;
      /** How far a value may be off and count as equal, where that isn't the default. */
      readonly tolerances?: Partial<Tolerances>;
      /** What the host can't read, in words, such as `track color`: one note names all of it. */
      readonly unchecked?: readonly string[];
      /** Sentences for the person who imports. */
      readonly notes: readonly string[];
      /** A host that `copiesFiles` still plays the importer's own file: it stays (rule F5). */
      readonly playsOwnFile?: boolean;
    };

/** The settings of a track and its clip that are compared with the plan. */
export interface HeldSettings extends Pick<
  TrackPlan,
  | "trackName"
  | "clipName"
  | "warping"
  | "warpMode"
  | "looping"
  | "loopEndBeats"
  | "tempoBpm"
  | "colorIndex"
  | "gainDb"
> {
  /** Where the clip starts to play, in seconds from the file's first sample; requested is 0. */
  readonly startSeconds: number;
  /** Where the loop starts, like `startSeconds`; only for a looping clip. */
  readonly loopStartSeconds: number;
  /** Every warp marker from left to right, a hidden last one included; only for a warped clip. */
  readonly warpMarkers: readonly WarpMarker[];
  /** Resolved paths of the file that the host was given and of the one that the clip plays. */
  readonly file: { readonly asked: string; readonly got: string };
}

/** Differences that count as equal. */
export interface Tolerances {
  readonly loopEndBeats: number;
  readonly tempoBpm: number;
  readonly gainDb: number;
  /** For start and loop start. */
  readonly seconds: number;
  /** How far a marker may be from the beat that its second has at the plan's tempo. */
  readonly warpMarkerBeats: number;
}
