import type { LayoutDifference } from "../layout/compare-layouts.ts";
import type { LayoutJson, UnusableTrackJson, UsableTrackJson } from "../layout/layout-json.ts";
import type { Warning } from "../manifest/manifest.ts";

// The protocol between the preview page and the server of `soundferry preview` (rules V1 to V6).

/** The page's state: one line of `GET /preview/state` per change. */
export interface PreviewState {
  readonly version: string;
  /** Whether the page updates after edits. */
  readonly isWatching: boolean;
  /** A sentence if some folders can't be watched, else null. */
  readonly trouble: string | null;
  /** In the order of the folders. */
  readonly scenes: readonly PreviewScene[];
}

/** One package folder: its scene, or why it has none. */
export type PreviewScene = PreviewReadScene | PreviewBrokenScene;

interface PreviewFolder {
  /** Identifies the folder in calls; stable while the preview runs. */
  readonly key: string;
  /** Path relative to the folder in which the preview was started. */
  readonly folder: string;
}

/** A folder whose manifest can't be used. */
export interface PreviewBrokenScene extends PreviewFolder {
  /** A sentence that says why. */
  readonly error: string;
}

export interface PreviewReadScene extends PreviewFolder {
  readonly name: string;
  /** The package's `tempo.bpm`; null if it has none. */
  readonly tempoBpm: number | null;
  /** In the package's order. */
  readonly tracks: readonly PreviewTrack[];
  readonly warnings: readonly Warning[];
  readonly golden: PreviewGolden;
  /** Changes with the layout or the golden. Sent with an accept to detect stale pages (rule V3). */
  readonly revision: string;
}

/** One sound: its track, or why it has none. */
export type PreviewTrack = PreviewUsableTrack | PreviewUnusableTrack;

export interface PreviewUsableTrack extends UsableTrackJson {
  /** The palette entry as `#RRGGBB`. */
  readonly color: string;
  readonly file: string;
  readonly bytes: number;
  /** Changes with the file; cached audio of another revision is stale. */
  readonly revision: string;
  readonly frames: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

export interface PreviewUnusableTrack extends UnusableTrackJson {
  readonly file: string;
}

/** A layout compared with the accepted one, `expected/layout.json` (rule B2). */
export type PreviewGolden =
  | { readonly status: "same" }
  | { readonly status: "missing" }
  | {
      readonly status: "differs";
      readonly accepted: LayoutJson;
      readonly differences: readonly LayoutDifference[];
    }
  /** `error` is a sentence. */
  | { readonly status: "unreadable"; readonly error: string };

/** The page's calls. The fragment of the page's address is the secret of this start. */
export const PREVIEW_CALLS = {
  /** `PreviewState` as JSON lines. */
  state: "/preview/state",
  /** The bytes of a sound's WAV. */
  sound: "/preview/scenes/:key/sounds/:sound_id",
  /** Accepts the scene's layout with an `AcceptRequest`; responds once the golden is written. */
  accept: "/preview/scenes/:key/accept",
} as const;

/** The revision to accept; refused if the layout has changed since (rule V3). */
export interface AcceptRequest {
  readonly revision: string;
}
