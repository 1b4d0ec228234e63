import type { Finding } from "../findings/finding.ts";
import type { PackageAudioJson } from "../layout/audio-schema.ts";
import type { GoldenHint } from "../layout/compare-audio.ts";
import type { LayoutDifference } from "../layout/compare-layouts.ts";
import type { FileProblem } from "../layout/file-problem.ts";
import type { LayoutJson, UnusableTrackJson, UsableTrackJson } from "../layout/layout-json.ts";
import type { Warning } from "../manifest/manifest.ts";

// The protocol between the preview page and the server of `soundferry preview` (rules V1 to V6).

/** The page's state: one line of `GET /preview/state` per change. */
export interface PreviewState {
  readonly version: string;
  /** True if the page updates after edits. */
  readonly isWatching: boolean;
  /** A sentence if some folders can't be watched, else null. */
  readonly trouble: string | null;
  /** The scenes, in the order of the folders. */
  readonly scenes: readonly PreviewScene[];
}

/** One package folder: its scene, or why it has none. */
export type PreviewScene = PreviewReadScene | PreviewBrokenScene;

interface PreviewFolder {
  /** Identifies the folder in calls; stable while the preview runs. */
  readonly key: string;
  /** Path relative to the folder in which the preview was started. */
  readonly folder: string;
  /** null if there is no `manifest.json` that can be read. */
  readonly manifest: PreviewManifest | null;
}

/** A package's `manifest.json` as it is on disk (rules V15 and V16). */
export interface PreviewManifest {
  /** A value that changes with the file. Sent with an edit to detect stale pages. */
  readonly revision: string;
  /** True if it differs from what the preview read first. */
  readonly isChanged: boolean;
  /** A sentence that says why its fields can't be edited here; null if they can. */
  readonly fixedBecause: string | null;
  /** The values of `PACKAGE_FIELDS` as the file has them; without those that it lacks. */
  readonly fields: ManifestFields;
  /** The faults, in reading order. */
  readonly faults: readonly ManifestFault[];
}

/** Values of a manifest by field, valid or not. */
export type ManifestFields = Readonly<Record<string, unknown>>;

/** Something wrong in a manifest: refused, or repaired with a warning. */
export interface ManifestFault {
  /** A sentence. */
  readonly message: string;
  /** True if the sound, or the package if there is none, can't be used. */
  readonly isError: boolean;
  readonly soundId: string | null;
  /** The property, such as `tempo.bpm`; null if it is about none. */
  readonly field: string | null;
  /** null if it isn't anywhere in the file. */
  readonly place: ManifestPlace | null;
}

/** A place in a text file, with the text there. */
export interface ManifestPlace {
  /** Line number from 1. */
  readonly line: number;
  /** Column from 1, in UTF-16 units. */
  readonly column: number;
  /** The text before it on its line, shortened. */
  readonly before: string;
  /** The offending text, up to the end of its line, shortened. */
  readonly text: string;
  readonly after: string;
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
  /** Quarter notes in a bar of the package's time signature; 4 if it has none. */
  readonly beatsPerBar: number;
  /** The sounds, in the package's order. */
  readonly tracks: readonly PreviewTrack[];
  readonly warnings: readonly Warning[];
  readonly golden: SceneGolden;
  /** The findings of its sounds (rule B9); null until all were listened to. */
  readonly findings: readonly Finding[] | null;
  /** A value that changes with layout, audio or golden. Sent with an accept to detect stale pages (rule V3). */
  readonly revision: string;
}

/** One sound: its track, or why it has none. */
export type PreviewTrack = PreviewUsableTrack | PreviewUnusableTrack;

/** The part of the manifest in both kinds of track. */
interface PreviewSound {
  readonly file: string;
  /** The values of `SOUND_FIELDS` as the file has them; without those that it lacks. */
  readonly fields: ManifestFields;
  /** The manifest's line on which the sound begins, from 1; null if unknown. */
  readonly line: number | null;
}

export interface PreviewUsableTrack extends UsableTrackJson, PreviewSound {
  /** The palette entry as `#RRGGBB`; null if it is automatic (rule T4). */
  readonly color: string | null;
  readonly bytes: number;
  /** A value that changes with the file; cached audio of another revision is stale. */
  readonly revision: string;
  readonly frames: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

export interface PreviewUnusableTrack extends UnusableTrackJson, PreviewSound {}

/** A package compared with the accepted one: `expected/layout.json` and `expected/audio.json` (rules B2, B6). */
export type PreviewGolden = GoldenComparison & {
  /** The faults of the files that weren't accepted before; with one, the page accepts nothing (rule B7). */
  readonly problems: readonly FileProblem[];
};

export type GoldenComparison =
  | { readonly status: "same"; readonly hints: readonly GoldenHint[] }
  /** `file` is the one that is missing. */
  | { readonly status: "missing"; readonly file: string }
  | {
      readonly status: "differs";
      readonly accepted: LayoutJson;
      /** The audio of both sides. */
      readonly audio: { readonly accepted: PackageAudioJson; readonly now: PackageAudioJson };
      readonly differences: readonly LayoutDifference[];
      readonly hints: readonly GoldenHint[];
    }
  /** `error` is a sentence. */
  | { readonly status: "unreadable"; readonly error: string };

/** The comparison of a scene; `reading` until its sounds have been read (rule V18). */
export type SceneGolden =
  | PreviewGolden
  | { readonly status: "reading"; readonly problems: readonly [] };

/** The page's calls. The fragment of the page's address is the secret of this start. */
export const PREVIEW_CALLS = {
  /** Streams `PreviewState` as JSON lines. */
  state: "/preview/state",
  /** Returns the bytes of a sound's WAV. */
  sound: "/preview/scenes/:key/sounds/:sound_id",
  /** Accepts the scene's layout with an `AcceptRequest`; responds once the golden is written. */
  accept: "/preview/scenes/:key/accept",
  /** Has the scene's sounds read before those of other scenes (rule V18). */
  hear: "/preview/scenes/:key/hear",
  /** `PATCH`: sets fields of the scene's manifest with an `EditRequest`; responds once the file is written. */
  manifest: "/preview/scenes/:key/manifest",
  /** Returns the `PreviewDiff` of a scene. */
  diff: "/preview/scenes/:key/diff",
  /** Returns the `PreviewDiff` of all scenes. */
  diffs: "/preview/diff",
} as const;

/** Changes to a manifest; refused if the file has changed since (rule V16). */
export interface EditRequest {
  /** The manifest's revision. */
  readonly revision: string;
  /** The changes: all are made, or none if one is refused. */
  readonly changes: readonly FieldChange[];
}

export interface FieldChange {
  /** The sound's id; null for a field of the package. */
  readonly soundId: string | null;
  /** One of `PACKAGE_FIELDS` or `SOUND_FIELDS`. */
  readonly field: string;
  /** null removes the field, so that its default applies. */
  readonly value: unknown;
}

/** Changes as unified diffs, which `git apply` takes (rule V17); each empty if nothing has changed. */
export interface PreviewDiff {
  /** Absolute path of the folder that the paths in the diffs are relative to. */
  readonly applyIn: string;
  /** Diff of the manifests, from when the preview first read them to what is on disk. */
  readonly manifest: string;
  /** Diff of the accepted layouts, to what accepting would write; without the packages whose sounds are still read. */
  readonly layout: string;
  /** Number of these packages. */
  readonly unread: number;
}

/** The revision to accept; refused if the layout has changed since (rule V3). */
export interface AcceptRequest {
  readonly revision: string;
}
