import type { Layout, TrackPlan } from "../../core/layout/layout.ts";

/**
 * The program that the importer drives: Live, a preview, a file.
 *
 * The host's duty: make one scene and one audio track per usable sound, in the layout's order; do
 * each step through `journal.step`, so that it is written down before it happens; let one sound's
 * failure stop no other; give back what it *holds* afterwards, read anew, not what it was asked for.
 * It rejects only when the scene can't be made, or when `signal` aborts: then nothing of the
 * package stays, or it rejects with a `LeftBehindError` that says what does.
 * The importer's duty: every usable sound of the layout has a file; one `place` at a time.
 */
export interface Host {
  /** One lower-case word, such as `preview`. */
  readonly name: string;
  readonly can: HostAbilities;
  place(request: PlaceRequest): Promise<readonly PlacedSound[]>;
  /** The session's tempo in BPM; null where it can't be read. A host without a tempo lacks this. */
  readTempo?(): Promise<number | null>;
  /** What people can set for it: in the panel, as a variable or as a flag (rule K3). */
  readonly settings?: readonly HostSetting[];
}

/** A setting that a host declares. The importer reads, stores and shows it, and gives its value at placing. */
export interface HostSetting {
  /** Lower-case words with hyphens, such as `correct-tempo`; unique at the host. */
  readonly id: string;
  /** The environment variable, and the name under which the panel's choice is stored. */
  readonly variable: string;
  /** A switch is on or off. */
  readonly kind: "switch";
  readonly default: boolean;
  /** What the panel calls it, such as `Correct the tempo`. */
  readonly label: string;
  /** One sentence that says what it does, in the panel and in `--help`. */
  readonly help: string;
}

/** A value for each setting that a host declares, by id. */
export type HostSettingValues = Readonly<Record<string, HostSetting["default"]>>;

/** What a host can do beyond placing. */
export interface HostAbilities {
  /** It copies each file into its own project, so that the importer's copy may go afterwards (rule F5). */
  readonly copiesFiles: boolean;
  /** It recognises what an unfinished run left and completes that instead of making it anew (rule R4). */
  readonly resumes: boolean;
}

export interface PlaceRequest {
  readonly layout: Layout;
  /** Absolute path of each usable sound, by sound id. */
  readonly files: ReadonlyMap<string, string>;
  readonly journal: HostJournal;
  readonly signal: AbortSignal;
  /** Where in the session to put the scene, as the host's own menu gave it; at the end where left out. */
  readonly after?: HostPlace;
  /** A tempo that the session is to have from then on (rule R6); only given to a host with a tempo. */
  readonly sessionTempoBpm?: number;
  /** Only given to a host that declares settings. */
  readonly settings?: HostSettingValues;
  /** Told after each sound. */
  readonly onProgress: (placed: number, total: number) => void;
}

/** A place in a host's session; only the host that it came from can read it. */
export type HostPlace = object;

/** Where a run writes down what it is about to do at the host (rule R4). */
export interface HostJournal {
  readonly runId: string;
  /** What an earlier, unfinished run of this package wrote down, oldest first. */
  readonly earlier: readonly JournalStep[];
  /**
   * Writes the step down, does it, writes down its outcome. `act` has begun when this returns, so that
   * a host can group the steps that it begins together.
   * @param kind.leavesNothing for a step after which nothing is in the session, such as bringing a
   *   file into the project: a run that came no further may be begun anew without asking
   * @throws {HostStepError} with the label when `act` fails, whatever it was rejected with
   */
  step<Outcome extends JournalOutcome>(
    label: string,
    act: () => Promise<Outcome> | Outcome,
    kind?: { readonly leavesNothing: boolean },
  ): Promise<Outcome>;
}

/** What a step may leave for a later run: the host's own handle of what was made. */
export type JournalOutcome = string | number | boolean | null | undefined | void;

export interface JournalStep {
  /** In words that finish “Live would not …”, such as `make the track Kick (Looper)`. */
  readonly label: string;
  readonly state: "begun" | "done" | "failed";
  readonly outcome?: string | number | boolean | null;
  /** Nothing of it is in the session, whatever its state. */
  readonly leavesNothing?: true;
}

/** A step the host refused; the message says which. */
export class HostStepError extends Error {
  override readonly name = "HostStepError";
}

/** A placement came to nothing and could not be undone altogether; the message says what stays. */
export class LeftBehindError extends Error {
  override readonly name = "LeftBehindError";
}

/** What became of one sound at the host. */
export type PlacedSound =
  | { readonly soundId: string; readonly error: string }
  | {
      readonly soundId: string;
      /** What the host holds; a setting that it can't read is left out. */
      readonly holds: Partial<HeldSettings>;
      /** Sentences for the person who imports. */
      readonly notes: readonly string[];
      /** True where a host that `copiesFiles` plays the importer's own file all the same: it stays (rule F5). */
      readonly playsOwnFile?: boolean;
    };

/** The settings of a track and its clip that can be compared with a plan. */
export type HeldSettings = Pick<
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
>;
