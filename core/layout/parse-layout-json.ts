import { isJsonObject } from "../text/json-object.ts";
import { SOUND_KINDS, type WarpMode, type Warning } from "../manifest/manifest.ts";
import { WARNING } from "../protocol/schemas/common-schemas.ts";
import { faultOf, matches } from "../protocol/schemas/fault-of.ts";
import type { Agree, Schema } from "../protocol/schemas/schema.ts";
import type { LayoutJson, TrackJson } from "./layout-json.ts";

const TEXT = { type: "string" } as const satisfies Schema;
const NUMBER_OR_NULL = { type: ["number", "null"] } as const satisfies Schema;
const NAMES = {
  id: TEXT,
  track: TEXT,
  clip: TEXT,
  kind: { type: "string", enum: SOUND_KINDS },
} as const;

const WARP_MODE_KEYS = [
  "beats",
  "tones",
  "texture",
  "repitch",
  "complex",
  "complex_pro",
] as const satisfies readonly WarpMode[];

const USABLE_TRACK = {
  type: "object",
  properties: {
    ...NAMES,
    warping: { type: "boolean" },
    warp_mode: {
      oneOf: [{ type: "null" }, { type: "string", enum: WARP_MODE_KEYS }],
    },
    looping: { type: "boolean" },
    loop_beats: NUMBER_OR_NULL,
    tempo_bpm: NUMBER_OR_NULL,
    color_index: { type: "integer", minimum: 0 },
    gain_db: { type: "number" },
    notes: { type: "array", items: TEXT },
  },
  required: [
    ...(["id", "track", "clip", "kind"] as const),
    ...(["warping", "warp_mode", "looping", "loop_beats", "tempo_bpm"] as const),
    ...(["color_index", "gain_db", "notes"] as const),
  ],
} as const satisfies Schema;

const UNUSABLE_TRACK = {
  type: "object",
  properties: { ...NAMES, error: TEXT },
  required: ["id", "track", "clip", "kind", "error"],
} as const satisfies Schema;

const LAYOUT = {
  type: "object",
  properties: {
    scene: { type: "object", properties: { name: TEXT }, required: ["name"] },
    tracks: { type: "array", items: { oneOf: [USABLE_TRACK, UNUSABLE_TRACK] } },
    warnings: { type: "array", items: WARNING },
  },
  required: ["scene", "tracks", "warnings"],
} as const satisfies Schema;

true satisfies Agree<LayoutJson, typeof LAYOUT>;

/** A JSON value that is no layout; the message is a sentence that says where. */
export class NoLayoutError extends Error {
  override readonly name = "NoLayoutError";
}

/**
 * A layout that was written down, such as a golden (rule B2). Members that a layout doesn't have are
 * left out: they mean nothing.
 * @throws {NoLayoutError} where something is missing or of another kind, and where two sounds have one id
 */
export function parseLayoutJson(value: unknown): LayoutJson {
  if (!matches(LAYOUT, value)) throw new NoLayoutError(formatFault(value));
  const ids = new Set<string>();
  for (const { id } of value.tracks) {
    if (ids.has(id)) {
      throw new NoLayoutError(`This is not a layout: two tracks have the id "${id}".`);
    }
    ids.add(id);
  }
  return {
    scene: { name: value.scene.name },
    tracks: value.tracks.map(trackOf),
    warnings: value.warnings.map(warningOf),
  };
}

function trackOf(track: TrackJson): TrackJson {
  const { id, track: name, clip, kind } = track;
  const names = { id, track: name, clip, kind };
  if (matches(UNUSABLE_TRACK, track)) return { ...names, error: track.error };
  const { warping, warp_mode, looping, loop_beats, tempo_bpm, color_index, gain_db, notes } = track;
  const settings = { warping, warp_mode, looping, loop_beats, tempo_bpm, color_index, gain_db };
  return { ...names, ...settings, notes };
}

function warningOf({ code, message, sound, field }: Warning): Warning {
  const about = { ...(sound !== undefined && { sound }), ...(field !== undefined && { field }) };
  return { code, message, ...about };
}

function formatFault(value: unknown): string {
  const fault = faultOf(LAYOUT, value);
  if (fault?.keyword !== "oneOf" || !isJsonObject(value)) return formatWhere(fault?.pointer ?? "");
  // A track is of one of two forms; the one that it seems to be says more precisely what is wrong.
  const { tracks } = value;
  const index = Number(/^\/tracks\/(\d+)/.exec(fault.pointer)?.[1]);
  const track: unknown = Array.isArray(tracks) ? tracks[index] : undefined;
  const isUnusable = isJsonObject(track) && Object.hasOwn(track, "error");
  const form: Schema = isUnusable ? UNUSABLE_TRACK : USABLE_TRACK;
  return formatWhere(faultOf(form, track, `/tracks/${index}`)?.pointer ?? fault.pointer);
}

/** @param pointer JSON Pointer of what is wrong */
function formatWhere(pointer: string): string {
  if (pointer === "") return "This is not a layout.";
  return `This is not a layout: ${pointer.slice(1)} is invalid.`;
}
