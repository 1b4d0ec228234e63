import type { ImportedTrack, ImportOutcome, ImportProgress } from "./import-outcome.ts";

// The runs in the panel's state: active and queued ones, and those that have finished.

export interface PanelRun {
  readonly packageId: string;
  /** Destination, such as `dawproject`; undefined for the importer's own hosts. */
  readonly otherHost?: string;
  readonly title: string;
  /** The chosen sounds, in the package's order; absent without a choice. */
  readonly soundIds?: readonly string[];
  /** True if *Import all* began it, so that its Stop ends it (rule N23). */
  readonly isOfAll?: boolean;
  /** null while queued. */
  readonly progress: ImportProgress | null;
  /** Progress by the ids of the run's sounds; empty while queued. */
  readonly sounds: PanelRunSounds;
}

export type PanelRunSounds = Readonly<Record<string, PanelRunSound>>;

/** The progress of one sound of a run. */
export interface PanelRunSound {
  /** `failed`: it can't be used or placed; the run's outcome will say why. */
  readonly state: "waiting" | "fetching" | "fetched" | "placed" | "failed";
  /** The fetched share, 0 to 1; only while `fetching`, and if the size is known. */
  readonly progress?: number;
}

export interface PanelFinishedRun {
  readonly packageId: string;
  /** The destination, as in `PanelRun`. */
  readonly otherHost?: string;
  readonly title: string;
  /** The chosen sounds, as in `PanelRun`: send them again with “Try again”, “Import anyway” and “Take over”. */
  readonly soundIds?: readonly string[];
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly result: { readonly outcome: PanelOutcome } | PanelRunError;
}

/** Why a run failed. */
export interface PanelRunError {
  readonly error: string;
  readonly code: RunErrorCode | null;
}

/** Errors to resolve: offer `again`; offer `takeOver`; import again; import again to continue. */
export type RunErrorCode = "ALREADY_PLACED" | "RUN_ELSEWHERE" | "CANCELLED" | "CONNECTION_LOST";

/** The outcome of an import. */
export interface PanelOutcome extends Pick<ImportOutcome, "status"> {
  /** Name of the package's folder; null if it has no files left. */
  readonly folder: string | null;
  readonly tracks: readonly Pick<
    ImportedTrack,
    "id" | "status" | "track" | "clip" | "notes" | "differences" | "error" | "earlier"
  >[];
}
