import type { Layout, PlannedSound } from "../../core/layout/layout.ts";
import { trackJson } from "../../core/layout/layout-json.ts";
import {
  type SoundResult,
  type SoundResults,
  statusOfResults,
} from "../../core/protocol/package-status.ts";
import type {
  ImportedTrack,
  ImportOutcome,
  TrackSettings,
} from "../../core/protocol/import-outcome.ts";
import type { PlacedSound } from "../hosts/host.ts";
import { withoutPaths } from "../../core/text/without-paths.ts";
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

/** Where the files of an import are, when it is over. */
export interface FilesLeft {
  /** null where the folder is gone. */
  readonly folder: { readonly path: string; readonly name: string } | null;
  /** Sound id → file name; without those that were deleted. */
  readonly fileNames: ReadonlyMap<string, string>;
}

/**
 * Puts together what became of each sound: planned, placed, compared. Apps read its sentences, too, so
 * that no path of the user's is in one, whatever a host or the disk said (rule R2).
 */
export function importOutcome(
  layout: Layout,
  placed: readonly PlacedSound[],
  left: FilesLeft,
): ImportOutcome {
  const placedById = new Map(placed.map((sound) => [sound.soundId, sound]));
  const tracks = layout.tracks.map((sound) =>
    importedTrack(sound, placedById.get(sound.soundId), left),
  );
  const soundIds = tracks.map(({ id }) => id);
  return {
    package_id: layout.packageId,
    status: statusOfResults(soundIds, soundResults(tracks)),
    scene: { name: layout.scene.name },
    folder: left.folder?.path ?? null,
    tracks,
  };
}

/** The report for the relay (rule S7), keyed by sound id in an object without prototype. */
export function soundResults(tracks: readonly ImportedTrack[]): SoundResults {
  const results: Record<string, SoundResult> = Object.create(null);
  for (const { id, status, track, file, notes, differences, error } of tracks) {
    results[id] = {
      status,
      ...(status === "imported" && { track }),
      ...(file !== null && { file }),
      ...(notes.length > 0 && { notes }),
      ...(differences.length > 0 && { differences }),
      ...(error !== null && { error }),
    };
  }
  return results;
}

function importedTrack(
  sound: PlannedSound,
  placed: PlacedSound | undefined,
  left: FilesLeft,
): ImportedTrack {
  const nothing = { ...NO_SETTINGS, file: null, notes: [], differences: [], error: null };
  const planned = { ...nothing, ...trackJson(sound) };
  if ("error" in sound) {
    return { ...planned, status: "skipped", error: withoutPaths(sound.error) };
  }

  const file = left.fileNames.get(sound.soundId) ?? null;
  if (placed === undefined || "error" in placed) {
    const error = withoutPaths(placed?.error ?? "No result was reported for this sound.");
    return { ...planned, status: "failed", file, error };
  }
  return {
    ...planned,
    status: "imported",
    track: placed.holds.trackName ?? sound.trackName,
    file,
    notes: [...sound.notes, ...placed.notes.map(withoutPaths), ...placeNote(file, left)],
    differences: compareSettings(sound, placed.holds),
  };
}

/** Tells where the file stayed (rule F5); without the user's own folders, because apps read it too. */
function placeNote(file: string | null, { folder }: FilesLeft): readonly string[] {
  if (file === null || folder === null) return [];
  return [`Its file is ${folder.name}/${file} in the sounds folder.`];
}
