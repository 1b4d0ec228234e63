import type { PlannedSound } from "../layout/layout.ts";
import type { UsableTrackJson } from "../layout/layout-json.ts";
import type { Difference, SoundResult } from "./package-status.ts";

/** An import's outcome, as the command line prints it (rule K5). */
export interface ImportOutcome {
  readonly package_id: string;
  readonly status: "imported" | "partial" | "failed";
  readonly scene: { readonly name: string };
  /** Absolute path of the package's folder; null if none of its sounds could be fetched. */
  readonly folder: string | null;
  readonly tracks: readonly ImportedTrack[];
}

/** One sound of an import, with the settings requested from the host. */
export interface ImportedTrack extends TrackSettings {
  /** The sound's id. */
  readonly id: string;
  /** `skipped`: its file can't be used. `failed`: the host rejected it. */
  readonly status: SoundResult["status"];
  readonly track: string;
  readonly clip: string;
  /** The name of its file on disk, in the package's folder; of a copy where the host plays one from there. Or null. */
  readonly file: string | null;
  /** Its path below the sounds folder, with `/`, or null. */
  readonly path: string | null;
  readonly kind: PlannedSound["kind"];
  readonly notes: readonly string[];
  /** Settings that the host changed. */
  readonly differences: readonly Difference[];
  readonly error: string | null;
  /** Set for the result of an earlier run; this one left the sound alone (rule R10). Its settings are null here. */
  readonly earlier?: true;
}

type Settings = Omit<UsableTrackJson, "id" | "track" | "clip" | "kind" | "notes">;

/** A track's settings; all null for a skipped sound. */
export type TrackSettings = { readonly [Name in keyof Settings]: Settings[Name] | null };

/** An import's progress. */
export type ImportProgress =
  /** The run holds the package. Not sent for a local package. */
  | { readonly phase: "taken"; readonly runId: string }
  | { readonly phase: "fetching"; readonly doneBytes: number; readonly totalBytes: number }
  /** The connection is lost, and the run retries for at most `secondsLeft` if no more bytes arrive. */
  | {
      readonly phase: "retrying";
      readonly secondsLeft: number;
      readonly doneBytes: number;
      readonly totalBytes: number;
    }
  | { readonly phase: "placing"; readonly placed: number; readonly total: number }
  /** `isKnown`: the relay has the results; otherwise they are in the outbox. Not sent for a local package. */
  | { readonly phase: "reported"; readonly isKnown: boolean };
