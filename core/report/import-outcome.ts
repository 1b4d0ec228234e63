import { trackJson } from "../layout/layout-json.ts";
import type { Layout, PlannedSound } from "../layout/layout.ts";
import { usableTracks } from "../layout/usable-tracks.ts";
import type { ImportedTrack, ImportOutcome, TrackSettings } from "../protocol/import-outcome.ts";
import {
  isSaved,
  type SoundResult,
  type SoundResults,
  statusOfResults,
} from "../protocol/package-status.ts";
import { RUN_SENTENCES, runSentence } from "../protocol/run-sentences.ts";
import { withoutPaths } from "../text/sentence-of.ts";
import type { HeldSettings, PlacedSound } from "./placed-sound.ts";
import { compareSettings } from "./compare-settings.ts";

const NO_SETTINGS: TrackSettings = {
  warping: null,
  warp_mode: null,
  looping: null,
  loop_beats: null,
  tempo_bpm: null,
  color_index: null,
  gain_db: null,
};

/** A package's folder, for where its files are. */
export interface FilesIn {
  readonly path: string;
  readonly name: string;
  /** Returns the name of a sound's file. */
  fileNameOf(soundId: string): string;
}

/** Merges plan, placement and comparison per sound. Apps read the sentences: they never hold a local path (rule R2). */
export function importOutcome(
  layout: Layout,
  placed: readonly PlacedSound[],
  folder: FilesIn,
): ImportOutcome {
  const placedById = new Map(placed.map((sound) => [sound.soundId, sound]));
  const tracks = layout.tracks.map((sound) =>
    importedTrack(sound, placedById.get(sound.soundId), folder),
  );
  const soundIds = tracks.map(({ id }) => id);
  return {
    package_id: layout.packageId,
    status: statusOfResults(soundIds, soundResults(tracks)),
    scene: { name: layout.scene.name },
    folder: usableTracks(layout).length === 0 ? null : folder.path,
    tracks,
  };
}

/** Returns the report for the relay (rule S7), keyed by sound id in an object without prototype. */
export function soundResults(tracks: readonly ImportedTrack[]): SoundResults {
  const results: Record<string, SoundResult> = Object.create(null);
  for (const track of tracks) results[track.id] = soundResult(track);
  return results;
}

/** Returns one sound's part of the report. A sound that was only saved has no track (rule R16). */
export function soundResult(imported: ImportedTrack): SoundResult {
  const { status, track, file, path, notes, differences, error } = imported;
  return {
    status,
    ...(status === "imported" && !isSaved(imported) && { track }),
    ...(file !== null && { file }),
    ...(path !== null && { path }),
    ...(notes.length > 0 && { notes }),
    ...(differences.length > 0 && { differences }),
    ...(error !== null && { error }),
  };
}

/** Returns a track with another result, as a report has it. */
export function withResult(track: ImportedTrack, result: SoundResult): ImportedTrack {
  const { status, track: name = track.track, error = null } = result;
  const { file = null, path = null, notes = [], differences = [] } = result;
  return { ...track, status, track: name, file, path, notes, differences, error };
}

function importedTrack(
  sound: PlannedSound,
  placed: PlacedSound | undefined,
  folder: FilesIn,
): ImportedTrack {
  const nothing = {
    ...NO_SETTINGS,
    file: null,
    path: null,
    notes: [],
    differences: [],
    error: null,
  };
  const planned = { ...nothing, ...trackJson(sound) };
  if ("error" in sound) {
    return { ...planned, status: "skipped", error: withoutPaths(sound.error) };
  }

  const file = folder.fileNameOf(sound.soundId);
  const path = `${folder.name}/${file}`;
  if (placed !== undefined && "skipped" in placed) {
    return { ...planned, status: "skipped", file, path, error: withoutPaths(placed.skipped) };
  }
  if (placed === undefined || "error" in placed) {
    const error = withoutPaths(placed?.error ?? RUN_SENTENCES.NO_RESULT);
    return { ...planned, status: "failed", file, path, error };
  }
  const { plays = file } = placed;
  return {
    ...planned,
    status: "imported",
    track: placed.holds.trackName ?? sound.trackName,
    file: plays,
    path: `${folder.name}/${plays}`,
    notes: [
      ...sound.notes,
      ...placed.notes.map(withoutPaths),
      ...uncheckedNote(placed.unchecked ?? []),
    ],
    differences: compareSettings(sound, comparedIn(placed), placed.tolerances),
  };
}

/** Returns the settings of a sound that a person hasn't changed. */
export function comparedIn({
  holds,
  changed = [],
}: Extract<PlacedSound, { readonly holds: object }>): Partial<HeldSettings> {
  const names = new Set<string>(changed);
  return Object.fromEntries(Object.entries(holds).filter(([name]) => !names.has(name)));
}

/** Returns a note of the settings that the host can't read: none of them counts as equal (rule S7). */
function uncheckedNote(unchecked: readonly string[]): readonly string[] {
  const settings = unchecked.join(", ");
  return settings === "" ? [] : [runSentence("NOT_CHECKED", { settings })];
}
