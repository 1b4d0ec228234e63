import { SOUND_KINDS, type WarpMode } from "../manifest/manifest.ts";
import { WARNING } from "../protocol/schemas/common-schemas.ts";
import type { Agree, Schema } from "../protocol/schemas/schema.ts";
import type { LayoutJson } from "./layout-json.ts";

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
    warp_mode: { oneOf: [{ type: "null" }, { type: "string", enum: WARP_MODE_KEYS }] },
    looping: { type: "boolean" },
    loop_beats: NUMBER_OR_NULL,
    tempo_bpm: NUMBER_OR_NULL,
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

const UNUSABLE_TRACK = {
  type: "object",
  properties: { ...NAMES, error: TEXT },
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

true satisfies Agree<LayoutJson, typeof LAYOUT>;
