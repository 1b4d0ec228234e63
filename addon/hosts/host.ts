import type { Layout } from "../../core/layout/layout.ts";
import type { PlacedSound } from "../../core/report/placed-sound.ts";

/**
 * The port to the program that the importer drives: Live, a preview, a file.
 *
 * A host makes one scene and one audio track per usable sound, in the layout's order. It takes each step
 * through `journal.step`, which records it first. A failed sound doesn't stop the others. It returns
 * the settings that it *holds* afterwards, read back, not those that were requested.
 * It rejects only when the scene can't be made or `signal` aborts: then nothing of the package stays, or
 * it rejects with a `LeftBehindError` that names what stays. A host that no longer answers, with nothing placed, rejects
 * with a `HostGoneError`.
 * The importer provides a file for every usable sound and makes one `place` call at a time.
 */
export interface Host {
  /** The host's name, one lower-case word such as `preview`. */
  readonly name: string;
  readonly can: HostAbilities;
  /** Checks whether the program answers now, in under a second. Absent at a host that always does. */
  isReady?(): Promise<boolean>;
  /** A sentence for people on what to do while the host isn't ready. */
  readonly whenNotReady?: string;
  /** Describes the host for people, such as `Live 12.1.5 Standard`. Where absent, its name is used. Never throws. */
  describe?(): string;
  place(request: PlaceRequest): Promise<readonly PlacedSound[]>;
  /** Returns the session's tempo in BPM, or null where it can't be read. Absent at a host without a tempo. */
  readTempo?(): Promise<number | null>;
  /** Returns the room that the session has, or null where no limit is known. Absent at a host without limits. */
  readRoom?(): Promise<SessionRoom | null>;
  /**
   * Looks again at what a run has placed, after `place` has returned: each time all of its sounds, as `place` returns
   * them. Ends after the last look, or once the program or its session is gone; rejects with the signal's reason.
   * Absent at a host in which nothing changes afterwards.
   * @param runId the run's id in the journal; a run can be followed once
   */
  follow?(runId: string, signal: AbortSignal): AsyncIterable<readonly PlacedSound[]>;
  /** Closes all connections that the host keeps open; the host may be used again afterwards. */
  close?(): void;
  /** The settings that the host declares: for the panel, as variables and as flags (rule K3). */
  readonly settings?: readonly HostSetting[];
}

/** The number of tracks that a session still takes. */
export interface SessionRoom {
  readonly tracks: number;
}

/** A setting that a host declares. The importer reads, stores and shows it, and passes its value to `place`. */
export interface HostSetting {
  /** The setting's id in kebab case, such as `correct-tempo`; unique at the host. */
  readonly id: string;
  /** The environment variable, also the key of the stored value. */
  readonly variable: string;
  /** The kind of value: a switch is on or off. */
  readonly kind: "switch";
  readonly default: boolean;
  /** The panel's label, such as `Correct the tempo`. */
  readonly label: string;
  /** A sentence for the panel and `--help`. */
  readonly help: string;
}

/** A value for each setting that a host declares, by id. */
export type HostSettingValues = Readonly<Record<string, HostSetting["default"]>>;

export interface HostAbilities {
  /** True if the host recognizes and completes what an unfinished run left (rule R4). */
  readonly resumes: boolean;
  /** True if the host can put clips on the tracks of an earlier import (`reuseTracks`); false by default. */
  readonly reusesTracks?: boolean;
  /** True if each import of a package replaces the earlier one, as in a file; false by default. */
  readonly replacesEarlier?: boolean;
}

export interface PlaceRequest {
  readonly layout: Layout;
  /** The absolute path of each usable sound's file, by sound id. */
  readonly files: ReadonlyMap<string, string>;
  readonly journal: HostJournal;
  readonly signal: AbortSignal;
  /**
   * Set if the person asked to place the package once more, whatever an unfinished run left (rule R4). Without
   * it, a host that can resume may throw `AlreadyPlacedError` where the session shows leftovers.
   */
  readonly again?: boolean;
  /**
   * Set with `again`, where the host can reuse tracks: each sound's clip goes into the new scene on the track that
   * an earlier import made for it, found by mark (rule R15). Nothing else on that track changes. A sound without
   * such a track, or whose track takes no clip, gets a new track and a note.
   */
  readonly reuseTracks?: boolean;
  /** The scene's place, from a host's menu; the end by default, and where the place isn't this host's. */
  readonly after?: HostPlace;
  /** The session's new tempo (rule R6); only for a host with a tempo. */
  readonly sessionTempoBpm?: number;
  /** The settings' values; only for a host that declares settings. */
  readonly settings?: HostSettingValues;
  /** Called after each sound; without an id, the sound is the next in the layout's order. */
  readonly onProgress: (placed: number, total: number, soundId?: string) => void;
}

/** A place in a session, opaque to all but its host. */
export type HostPlace = object;

/** The write-ahead journal of a run's steps at the host (rule R4). */
export interface HostJournal {
  readonly runId: string;
  /** The steps of an earlier, unfinished run of this package, oldest first. */
  readonly earlier: readonly JournalStep[];
  /**
   * Records the step, calls `act` synchronously and records the outcome. The synchronous call lets hosts group
   * steps that they start together.
   * @param kind.leavesNothing the step adds nothing to the session, for example when it copies a file
   *   into the project: a run that stopped after it can start again without asking
   * @throws {HostStepError} with the label when `act` fails, whatever the reason
   */
  step<Outcome extends JournalOutcome>(
    label: string,
    act: () => Promise<Outcome> | Outcome,
    kind?: { readonly leavesNothing: boolean },
  ): Promise<Outcome>;
  /**
   * Records steps before the first of them begins, with one flush, calls `act`, which takes them with `step`, and records
   * all outcomes, with another. After a crash in between, each of them may have been done: only for a host that recognizes
   * what is done.
   */
  together<Outcome>(labels: readonly string[], act: () => Promise<Outcome>): Promise<Outcome>;
}

/** The result of a step, kept for a later run, such as the host's id of a new object. */
export type JournalOutcome = string | number | boolean | null | undefined | void;

export interface JournalStep {
  /** The step's description, which completes “Live couldn't …”, such as `make the track Kick (Looper)`. */
  readonly label: string;
  readonly state: "begun" | "done" | "failed";
  readonly outcome?: string | number | boolean | null;
  /** Set if the step adds nothing to the session, whatever its state. */
  readonly leavesNothing?: true;
}

/** The host refused a step; the message says which. */
export class HostStepError extends Error {
  override readonly name = "HostStepError";
}

/** The host stopped answering before it had placed anything; the message is a sentence on what to do. */
export class HostGoneError extends Error {
  override readonly name: string = "HostGoneError";
}

/** A placement failed and couldn't be undone completely; the message says what stays. */
export class LeftBehindError extends Error {
  override readonly name = "LeftBehindError";
}
