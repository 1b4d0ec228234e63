import type { LayoutDifference } from "../layout/compare-layouts.ts";
import type { LayoutJson, UnusableTrackJson, UsableTrackJson } from "../layout/layout-json.ts";
import type { Warning } from "../manifest/manifest.ts";

// What the preview page and the server of `soundferry preview` say to each other (rules V1 to V6).

/** Everything that the page shows (a line of `GET /preview/state`, one after each change). */
export interface PreviewState {
  readonly version: string;
  /** Whether edits show by themselves. */
  readonly isWatching: boolean;
  /** A sentence where some folders could not be watched; null where all is well, and without watching. */
  readonly trouble: string | null;
  /** In the order of the folders. */
  readonly scenes: readonly PreviewScene[];
}

/** One package folder: the scene that it becomes, or why it becomes none. */
export type PreviewScene = PreviewReadScene | PreviewBrokenScene;

interface PreviewFolder {
  /** Stands for the folder in calls; the same as long as the preview runs. */
  readonly key: string;
  /** As people know it: relative to where the preview was started. */
  readonly folder: string;
}

/** A folder whose manifest can't be used. */
export interface PreviewBrokenScene extends PreviewFolder {
  /** A sentence that says why. */
  readonly error: string;
}

export interface PreviewReadScene extends PreviewFolder {
  readonly name: string;
  /** The package's own tempo; null where it says none. */
  readonly tempoBpm: number | null;
  /** In the package's order. */
  readonly tracks: readonly PreviewTrack[];
  readonly warnings: readonly Warning[];
  readonly golden: PreviewGolden;
  /** Another one whenever layout or golden changed; whoever accepts says which one was seen (rule V3). */
  readonly revision: string;
}

/** One sound: its track with one clip in the scene's slot, or why there is none. */
export type PreviewTrack = PreviewUsableTrack | PreviewUnusableTrack;

export interface PreviewUsableTrack extends UsableTrackJson {
  /** As Live will show it, `#RRGGBB`. */
  readonly color: string;
  readonly file: string;
  readonly bytes: number;
  /** Another one whenever the file changed: what was fetched of the one before is stale. */
  readonly revision: string;
  readonly frames: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

export interface PreviewUnusableTrack extends UnusableTrackJson {
  readonly file: string;
}

/** How a layout stands to the one that a person accepted, `expected/layout.json` (rule B2). */
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

/** What the page is opened with: the address's fragment is the secret of this start. */
export const PREVIEW_CALLS = {
  /** Lines of `PreviewState`. */
  state: "/preview/state",
  /** The bytes of a sound's WAV. */
  sound: "/preview/scenes/:key/sounds/:sound_id",
  /** Accepts the scene's layout, with an `AcceptRequest`; answers when the golden is written. */
  accept: "/preview/scenes/:key/accept",
} as const;

/** What is accepted: a layout that is another one by now is not (rule V3). */
export interface AcceptRequest {
  readonly revision: string;
}
