import type { Layout, TrackPlan } from "../layout/layout.ts";
import { usableTracks } from "../layout/usable-tracks.ts";
import type { WarpMarker } from "../layout/warp-markers.ts";
import { SAVED_AS_FILES } from "../protocol/package-status.ts";

/** A sound as a host has placed it, or why it did not. */
export type PlacedSound =
  | { readonly soundId: string; readonly error: string }
  /** A sound that the host had no room for, with a sentence that says so (rule R17). */
  | { readonly soundId: string; readonly skipped: string }
  | {
      readonly soundId: string;
      /** The settings that the host holds, without those that it can't read. */
      readonly holds: Partial<HeldSettings>;
      /** The name of the file beside the importer's that it plays, such as a copy with its gain; absent for the importer's. */
      readonly plays?: string;
      /** The settings that a person changed after they were made: they aren't compared. */
      readonly changed?: readonly (keyof HeldSettings)[];
      /** The differences that count as equal, where they aren't the defaults. */
      readonly tolerances?: Partial<Tolerances>;
      /** Descriptions of the settings that the host can't read, such as `track color`: one note names all of them. */
      readonly unchecked?: readonly string[];
      /** Sentences for the person who imports. */
      readonly notes: readonly string[];
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
  /** The clip's start, in seconds from the file's first sample; 0 is requested. */
  readonly startSeconds: number;
  /** The loop's start, like `startSeconds`; only for a looping clip. */
  readonly loopStartSeconds: number;
  /** All warp markers from left to right, a hidden last one included; only for a warped clip. */
  readonly warpMarkers: readonly WarpMarker[];
  /** Resolved paths of the file that the host was given and of the one that the clip plays. */
  readonly file: { readonly asked: string; readonly got: string };
}

/** The words for settings that a host couldn't read, for `unchecked`. */
export const SETTING_NAMES: Readonly<Record<keyof HeldSettings, string>> = {
  trackName: "track name",
  clipName: "clip name",
  warping: "warping",
  warpMode: "warp mode",
  looping: "loop",
  loopEndBeats: "loop end",
  tempoBpm: "tempo",
  gainDb: "gain",
  startSeconds: "start",
  loopStartSeconds: "loop start",
  warpMarkers: "warp markers",
  file: "file",
  colorIndex: "clip color",
};

/** Differences that count as equal. */
export interface Tolerances {
  readonly loopEndBeats: number;
  readonly tempoBpm: number;
  readonly gainDb: number;
  /** The difference of a start and of a loop's start. */
  readonly seconds: number;
  /** The distance of a marker from the beat that its second has at the plan's tempo. */
  readonly warpMarkerBeats: number;
}

/** Settings as a host reads them back; undefined for those that it can't read. */
export type Unsure<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };

/** Returns the settings that could be read. */
export function onlyKnown(settings: Partial<Unsure<HeldSettings>>): Partial<HeldSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Returns a package's usable sounds as they are where nothing is placed (rule R16). */
export function savedAsFiles(layout: Layout): readonly PlacedSound[] {
  return usableTracks(layout).map(({ soundId }) => {
    return { soundId, holds: {}, notes: [SAVED_AS_FILES] };
  });
}
