import type { PlannedSound } from "../layout/layout.ts";
import type { UsableTrackJson } from "../layout/layout-json.ts";
import type { Difference, SoundResult } from "./package-status.ts";

/** What an import came to, as the command line prints it (rule K5). */
export interface ImportOutcome {
  readonly package_id: string;
  readonly status: "imported" | "partial" | "failed";
  readonly scene: { readonly name: string };
  /** Absolute path of the package's folder; null where nothing of it is left there. */
  readonly folder: string | null;
  readonly tracks: readonly ImportedTrack[];
}

/** One sound of an import. Its settings are the ones that the host was asked for. */
export interface ImportedTrack extends TrackSettings {
  /** The sound's id. */
  readonly id: string;
  /** `skipped`: its file can't be used. `failed`: the host would not take it. */
  readonly status: SoundResult["status"];
  readonly track: string;
  readonly clip: string;
  /** Name of its file in the folder; null where there is none. */
  readonly file: string | null;
  readonly kind: PlannedSound["kind"];
  readonly notes: readonly string[];
  /** What the host holds otherwise than it was asked to. */
  readonly differences: readonly Difference[];
  readonly error: string | null;
}

type SettingName =
  | "warping"
  | "warp_mode"
  | "looping"
  | "loop_beats"
  | "tempo_bpm"
  | "color_index"
  | "gain_db";

/** The settings of a track; all null where a sound was skipped. */
export type TrackSettings = { readonly [Name in SettingName]: UsableTrackJson[Name] | null };

/** How far an import is. */
export type ImportProgress =
  /** From now on the run holds the package; the caller renews its hold. Never told of a local package. */
  | { readonly phase: "taken"; readonly runId: string }
  | { readonly phase: "fetching"; readonly doneBytes: number; readonly totalBytes: number }
  | { readonly phase: "placing"; readonly placed: number; readonly total: number }
  /** Whether the relay knows the results; if not they wait in the outbox. Never told of a local package. */
  | { readonly phase: "reported"; readonly isKnown: boolean };
