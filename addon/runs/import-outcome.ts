import { trackJson } from "../../core/layout/layout-json.ts";
import type { Layout, PlannedSound } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type {
  ImportedTrack,
  ImportOutcome,
  TrackSettings,
} from "../../core/protocol/import-outcome.ts";
import {
  isSaved,
  type SoundResult,
  type SoundResults,
  statusOfResults,
} from "../../core/protocol/package-status.ts";
import { RUN_SENTENCES, runSentence } from "../../core/protocol/run-sentences.ts";
import { withoutPaths } from "../../core/text/sentence-of.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";
import type { PlacedSound, Host } from "../hosts/host.ts";
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

/** The files that remain after an import. */
export interface FilesLeft {
  /** The package's folder; null when it was deleted. */
  readonly folder: { readonly path: string; readonly name: string } | null;
  /** File names by sound id, without deleted files. */
  readonly fileNames: ReadonlyMap<string, string>;
}

/** Merges plan, placement and comparison per sound. Apps read the sentences: they never hold a local path (rule R2). */
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

/** Returns the report for the relay (rule S7), keyed by sound id in an object without prototype. */
export function soundResults(tracks: readonly ImportedTrack[]): SoundResults {
  const results: Record<string, SoundResult> = Object.create(null);
  for (const track of tracks) results[track.id] = soundResult(track);
  return results;
}

/** Returns one sound's part of the report. A sound that was only saved has no track (rule R16). */
export function soundResult(imported: ImportedTrack): SoundResult {
  const { status, track, file, notes, differences, error } = imported;
  return {
    status,
    ...(status === "imported" && !isSaved(imported) && { track }),
    ...(file !== null && { file }),
    ...(notes.length > 0 && { notes }),
    ...(differences.length > 0 && { differences }),
    ...(error !== null && { error }),
  };
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
    const error = withoutPaths(placed?.error ?? RUN_SENTENCES.NO_RESULT);
    return { ...planned, status: "failed", file, error };
  }
  return {
    ...planned,
    status: "imported",
    track: placed.holds.trackName ?? sound.trackName,
    file,
    notes: [
      ...sound.notes,
      ...placed.notes.map(withoutPaths),
      ...uncheckedNote(placed.unchecked ?? []),
      ...placeNote(file, left),
    ],
    differences: compareSettings(sound, placed.holds, placed.tolerances),
  };
}

/** Returns a note of the settings that the host can't read: none of them counts as equal (rule S7). */
function uncheckedNote(unchecked: readonly string[]): readonly string[] {
  const settings = unchecked.join(", ");
  return settings === "" ? [] : [runSentence("NOT_CHECKED", { settings })];
}

/** Returns a note of the file's place (rule F5), relative to the sounds folder, because apps read it. */
function placeNote(file: string | null, { folder }: FilesLeft): readonly string[] {
  if (file === null || folder === null) return [];
  return [`Its file is ${folder.name}/${file} in the sounds folder.`];
}

interface PlacedLayout {
  readonly host: Pick<Host, "can">;
  readonly layout: Layout;
  readonly placed: readonly PlacedSound[];
  readonly folder: PackageFolder;
}

/** Deletes the files that the host copied and keeps those it plays (rule F5). */
export async function settleFiles({
  host: { can },
  layout,
  placed,
  folder,
}: PlacedLayout): Promise<FilesLeft> {
  const held = placed.filter((sound) => "holds" in sound);
  const copied = held.filter((sound) => can.copiesFiles && sound.playsOwnFile !== true);
  const played = held.filter((sound) => !copied.includes(sound));
  const gone = await tidy(folder, idsOf(played), idsOf(copied));
  const usable = usableTracks(layout);
  const left = usable.filter(({ soundId }) => !gone.has(soundId));
  return {
    folder: left.length === 0 ? null : folder,
    fileNames: new Map(left.map(({ soundId }) => [soundId, folder.fileNameOf(soundId)])),
  };
}

/** Keeps some files and deletes others; returns the sounds whose file was deleted. */
async function tidy(
  folder: PackageFolder,
  kept: readonly string[],
  discarded: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    await folder.keep(kept);
    return await folder.discard(discarded);
  } catch {
    // The host has placed the sounds: a disk error here must not fail the import.
    return new Set();
  }
}

function idsOf(sounds: readonly PlacedSound[]): readonly string[] {
  return sounds.map(({ soundId }) => soundId);
}
