import type { Warning } from "../manifest/manifest.ts";
import { type Fault, isLayout } from "../protocol/schemas/validate.generated.js";
import type { LayoutJson, TrackJson, UnusableTrackJson } from "./layout-json.ts";

/** The error for a value that isn't a layout; the message is a sentence with the location. */
export class NoLayoutError extends Error {
  override readonly name = "NoLayoutError";
}

/**
 * Parses a stored layout, such as a golden (rule B2). Drops unknown members.
 * @throws {NoLayoutError} if a member is missing or has the wrong type, or if two tracks share an id
 */
export function parseLayoutJson(value: unknown): LayoutJson {
  if (!isLayout(value)) throw new NoLayoutError(formatFaults("a layout", isLayout.errors ?? []));
  assertOwnIds(value.tracks, "This is not a layout: two tracks");
  return {
    scene: { name: value.scene.name },
    tracks: value.tracks.map(trackOf),
    warnings: value.warnings.map(warningOf),
  };
}

function trackOf(track: TrackJson): TrackJson {
  const { id, track: name, clip, kind } = track;
  const names = { id, track: name, clip, kind };
  if (isUnusable(track)) return { ...names, error: track.error };
  const { warping, warp_mode, looping, loop_beats, tempo_bpm, color_index, gain_db, notes } = track;
  const settings = { warping, warp_mode, looping, loop_beats, tempo_bpm, color_index, gain_db };
  return { ...names, ...settings, notes };
}

/** Checks for an `error`; one that isn't text is an unknown member. */
function isUnusable(track: TrackJson): track is UnusableTrackJson {
  return "error" in track && typeof track.error === "string";
}

function warningOf({ code, message, sound, field }: Warning): Warning {
  const about = { ...(sound !== undefined && { sound }), ...(field !== undefined && { field }) };
  return { code, message, ...about };
}

/**
 * @param start of the sentence if it throws
 * @throws {NoLayoutError} if two share an id
 */
export function assertOwnIds(all: readonly { readonly id: string }[], start: string): void {
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new NoLayoutError(`${start} have the id "${twice}".`);
}

/** Names the deepest fault: a track has two possible forms, and that fault belongs to the form it resembles. */
export function formatFaults(what: string, faults: readonly Fault[]): string {
  const pointers = faults.map(({ instancePath }) => instancePath);
  const pointer = pointers.reduce((one, next) => (next.length > one.length ? next : one), "");
  if (pointer === "") return `This is not ${what}.`;
  return `This is not ${what}: ${pointer.slice(1)} is invalid.`;
}
