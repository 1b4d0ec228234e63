import { SOUND_KINDS, WARP_MODE_KEYS } from "../manifest/manifest.ts";
import { WARNING } from "../protocol/schemas/common-schemas.ts";
import type { Schema } from "../protocol/schemas/schema.ts";

const TEXT = { type: "string" } as const satisfies Schema;
const NUMBER_OR_NULL = { type: ["number", "null"] } as const satisfies Schema;
const NAMES = {
  /** The sound's id. */
  id: TEXT,
  track: TEXT,
  clip: TEXT,
  kind: { type: "string", enum: SOUND_KINDS },
} as const;

/** A sound with a track. */
export const USABLE_TRACK = {
  type: "object",
  properties: {
    ...NAMES,
    warping: { type: "boolean" },
    /** null for a one-shot. */
    warp_mode: { oneOf: [{ type: "null" }, { type: "string", enum: WARP_MODE_KEYS }] },
    looping: { type: "boolean" },
    /** null if the host guesses, and for a one-shot; at most 6 decimals. */
    loop_beats: NUMBER_OR_NULL,
    /** null if the host guesses, and for a one-shot; at most 6 decimals. */
    tempo_bpm: NUMBER_OR_NULL,
    /** null if the importer chooses it: the color is automatic (rule T4). */
    color_index: { type: ["integer", "null"], minimum: 0 },
    gain_db: { type: "number" },
    notes: { type: "array", items: TEXT },
  },
  required: [
    ...(["id", "track", "clip", "kind"] as const),
    ...(["warping", "warp_mode", "looping", "loop_beats", "tempo_bpm"] as const),
    ...(["color_index", "gain_db", "notes"] as const),
  ],
} as const satisfies Schema;

/** A sound without a track. */
export const UNUSABLE_TRACK = {
  type: "object",
  properties: {
    ...NAMES,
    /** A sentence that says why there is no track. */
    error: TEXT,
  },
  required: ["id", "track", "clip", "kind", "error"],
} as const satisfies Schema;

/** A layout as JSON (rule B2). */
export const LAYOUT = {
  type: "object",
  properties: {
    scene: { type: "object", properties: { name: TEXT }, required: ["name"] },
    tracks: { type: "array", items: { oneOf: [USABLE_TRACK, UNUSABLE_TRACK] } },
    warnings: { type: "array", items: WARNING },
  },
  required: ["scene", "tracks", "warnings"],
} as const satisfies Schema;
