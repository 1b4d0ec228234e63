import { SOUND_ROLES } from "../manifest/manifest.ts";
import { SHA256 } from "../protocol/schemas/common-schemas.ts";
import type { FromSchema, Schema } from "../protocol/schemas/schema.ts";

/** Most columns of a golden's peak envelope (rule B6). */
export const MAX_ENVELOPE_COLUMNS = 512;

const TEXT = { type: "string" } as const satisfies Schema;
const COUNT = { type: "integer", minimum: 0 } as const satisfies Schema;
const NUMBER_OR_NULL = { type: ["number", "null"] } as const satisfies Schema;

/** A usable sound: its file and audio, and what the manifest says of it that a layout doesn't show. */
export const SOUND_AUDIO = {
  type: "object",
  properties: {
    /** The sound's id. */
    id: TEXT,
    role: { oneOf: [{ type: "null" }, { type: "string", enum: SOUND_ROLES }] },
    file: TEXT,
    /** Size of the whole file. */
    bytes: COUNT,
    /** SHA-256 of the audio: the whole frames of the `data` chunk. */
    sha256: SHA256,
    /** SHA-256 of all other bytes of the file, in their order. */
    chunks_sha256: SHA256,
    encoding: { type: "string", enum: ["pcm", "float"] },
    bits: COUNT,
    channels: COUNT,
    sample_rate_hz: COUNT,
    frames: COUNT,
    /**
     * The peak envelope, from start to end in columns of the same length: two hex digits each, the largest sample of
     * all channels from `00` (silence) to `ff` (full scale and above).
     */
    peaks: { type: "string", pattern: "^(?:[0-9a-f]{2}){1,512}$" },
  },
  required: [
    ...(["id", "role", "file", "bytes", "sha256", "chunks_sha256", "encoding", "bits"] as const),
    ...(["channels", "sample_rate_hz", "frames", "peaks"] as const),
  ],
} as const satisfies Schema;

/** The audio of a package: `expected/audio.json` (rule B6). */
export const PACKAGE_AUDIO = {
  type: "object",
  properties: {
    /** The package's own tempo; null if it has none. */
    tempo_bpm: NUMBER_OR_NULL,
    /** The package's time signature, such as `3/4`; null if it has none. */
    time_signature: { type: ["string", "null"] },
    /** The usable sounds in the package's order. */
    sounds: { type: "array", items: SOUND_AUDIO },
  },
  required: ["tempo_bpm", "time_signature", "sounds"],
} as const satisfies Schema;

/** One usable sound in `audio.json`. */
export type SoundAudioJson = FromSchema<typeof SOUND_AUDIO>;

/** A package's audio as a golden keeps it (rule B6). */
export type PackageAudioJson = FromSchema<typeof PACKAGE_AUDIO>;
