import type { JsonObject } from "../text/json-object.ts";
import {
  MAX_BPM,
  MAX_FILE_NAME_LENGTH,
  MAX_GAIN_DB,
  MAX_ID_LENGTH,
  MAX_LENGTH_BEATS,
  MAX_NAME_LENGTH,
  MAX_PACKAGE_BYTES,
  MAX_SOUNDS,
  MAX_TITLE_LENGTH,
  MIN_BPM,
  MIN_GAIN_DB,
} from "../limits.ts";
import type { RefusalCode } from "../protocol/refusals.ts";
import { type CleanedText, NAME_CHARACTERS, readName, readTitle } from "../text/clean-text.ts";
import { PACKAGE_SIZE } from "../text/format-limit.ts";
import {
  FILE_NAME_PATTERN,
  type Manifest,
  SCHEMA,
  type Sound,
  SOUND_KINDS,
  SOUND_ROLES,
  WARP_MODE_KEYS,
  WARP_MODES,
} from "./manifest.ts";

/** The handling of an invalid value (rules M3, M4). */
export type Remedy =
  /** Refuses the package; in a local package the sound keeps its place with a problem. */
  | { readonly kind: "refuse"; readonly codes: readonly RefusalCode[] }
  /** Treats it as missing, with a warning. */
  | { readonly kind: "drop" }
  /** Clamps a number with a warning; drops anything else. */
  | { readonly kind: "clamp"; readonly min: number; readonly max: number }
  /** Cleans every text, with a warning if characters are lost; drops anything else. */
  | {
      readonly kind: "clean";
      readonly maxLength: number;
      readonly clean: (raw: string) => CleanedText;
    }
  /** Assigns another id, with a warning (rule M7). */
  | { readonly kind: "replace" }
  /** Ignores every value, valid or not, with a warning. */
  | { readonly kind: "ignore" };

/** One property of the format. */
export interface Field {
  /** The purpose, in a sentence or two. */
  readonly meaning: string;
  /** Completes the sentence "bpm must be …". */
  readonly form: string;
  /** JSON Schema of a valid value. */
  readonly schema: JsonObject;
  /** The group that describes its value, or each entry of a list. */
  readonly group?: "source" | "tempo" | "sound";
  readonly isRequired?: true;
  /** Ignored on a one-shot, with a warning. */
  readonly isOnlyForLoops?: true;
  /** The default for a missing value, in words. */
  readonly fallback?: string;
  readonly remedy: Remedy;
  /** Converts a valid value to its canonical form; default: unchanged. */
  readonly normalize?: (good: unknown) => unknown;
}

/** The title if none is sent or it has no visible character. */
export const DEFAULT_TITLE = "Untitled";
/** The default for `source.app`. */
export const DEFAULT_APP = "App";

const DROP: Remedy = { kind: "drop" };

const BPM = {
  form: `a number from ${MIN_BPM} to ${MAX_BPM}`,
  schema: { type: "number", minimum: MIN_BPM, maximum: MAX_BPM },
  remedy: DROP,
};

/** Text that is only logged. */
const LOGGED_TEXT = {
  form: `text of at most ${MAX_NAME_LENGTH} characters`,
  schema: { type: "string", maxLength: MAX_NAME_LENGTH },
  remedy: {
    kind: "clean",
    maxLength: MAX_NAME_LENGTH,
    clean: (raw: string) => readTitle(raw, MAX_NAME_LENGTH),
  },
} as const;

const MANIFEST_FIELDS = {
  schema: {
    meaning: "The format of the package.",
    form: SCHEMA,
    schema: { type: "string", const: SCHEMA },
    isRequired: true,
    remedy: { kind: "refuse", codes: ["SCHEMA_NEWER", "SCHEMA_UNKNOWN"] },
  },
  package_id: {
    meaning: "Leave it out: the relay assigns each package an id.",
    form: `1 to ${MAX_ID_LENGTH} of the characters A-Z a-z 0-9 . _ -`,
    schema: { type: "string", pattern: `^[A-Za-z0-9._-]{1,${MAX_ID_LENGTH}}$` },
    remedy: DROP,
  },
  created_at: {
    meaning: "When the app made the package. Only logged.",
    form: "a date and time with its zone, such as 2026-01-31T12:00:00Z",
    schema: { type: "string", format: "date-time" },
    remedy: DROP,
  },
  title: {
    meaning: "Names the scene, as `<title> (<source.app>)`, and the folder of the files on disk.",
    form: `text of at most ${MAX_TITLE_LENGTH} characters`,
    schema: { type: "string", maxLength: MAX_TITLE_LENGTH },
    fallback: `\`${DEFAULT_TITLE}\``,
    remedy: { kind: "clean", maxLength: MAX_TITLE_LENGTH, clean: (raw: string) => readTitle(raw) },
  },
  source: {
    meaning: "The app that made the package.",
    form: "an object",
    schema: { type: "object" },
    group: "source",
    remedy: DROP,
  },
  tempo: {
    meaning: "The tempo that the loops share.",
    form: "an object",
    schema: { type: "object" },
    group: "tempo",
    remedy: DROP,
  },
  items: {
    meaning: `The sounds; each becomes one audio track. Together at most ${MAX_PACKAGE_BYTES} bytes (${PACKAGE_SIZE}).`,
    form: `a list of 1 to ${MAX_SOUNDS} sounds`,
    schema: { type: "array", minItems: 1, maxItems: MAX_SOUNDS },
    group: "sound",
    isRequired: true,
    remedy: {
      kind: "refuse",
      codes: ["ITEMS_MISSING", "ITEMS_TOO_MANY", "ITEM_NOT_OBJECT", "TOTAL_TOO_LARGE"],
    },
  },
  midi: {
    meaning: "Reserved for future use.",
    form: "a list",
    schema: { type: "array" },
    remedy: { kind: "ignore" },
  },
} as const satisfies Record<keyof Manifest | "midi", Field>;

const SOURCE_FIELDS = {
  app: {
    meaning: "The app's name, added to scene and tracks: leave it out of `title` and `name`.",
    form: `text of at most ${MAX_NAME_LENGTH} characters`,
    schema: { type: "string", maxLength: MAX_NAME_LENGTH },
    fallback: `\`${DEFAULT_APP}\``,
    remedy: { kind: "clean", maxLength: MAX_NAME_LENGTH, clean: readName },
  },
  app_version: { meaning: "Only logged.", ...LOGGED_TEXT },
  platform: { meaning: "Such as `web` or `android`. Only logged.", ...LOGGED_TEXT },
} as const satisfies Record<keyof Manifest["source"], Field>;

const TEMPO_FIELDS = {
  bpm: { meaning: "The tempo of every loop without a `bpm` of its own.", ...BPM },
  time_signature: {
    meaning: "Such as `[3, 4]`. Read, not used yet.",
    form: "a list of two whole numbers of 1 or more",
    schema: {
      type: "array",
      prefixItems: [
        { type: "integer", minimum: 1 },
        { type: "integer", minimum: 1 },
      ],
      items: false,
      minItems: 2,
    },
    remedy: DROP,
  },
} as const satisfies Record<keyof NonNullable<Manifest["tempo"]>, Field>;

const SOUND_FIELDS = {
  file: {
    meaning: "The name to upload it under. The file on disk is named after `name`.",
    form:
      `unique in the package: at most ${MAX_FILE_NAME_LENGTH} of the characters A-Z a-z 0-9 space . _ -, ` +
      "the first a letter or digit, no `..`, `.wav` at the end",
    schema: { type: "string", maxLength: MAX_FILE_NAME_LENGTH, pattern: FILE_NAME_PATTERN },
    isRequired: true,
    remedy: { kind: "refuse", codes: ["FILE_NAME_MISSING", "FILE_NAME_WRONG", "FILE_TWICE"] },
  },
  bytes: {
    meaning: "The exact size of the file.",
    form: `a whole number from 1 to ${MAX_PACKAGE_BYTES}`,
    schema: { type: "integer", minimum: 1, maximum: MAX_PACKAGE_BYTES },
    isRequired: true,
    remedy: { kind: "refuse", codes: ["BYTES_WRONG"] },
  },
  sha256: {
    meaning: "The SHA-256 of the file. Stored in lower case.",
    form: "64 hex characters",
    schema: { type: "string", pattern: "^[0-9A-Fa-f]{64}$" },
    isRequired: true,
    remedy: { kind: "refuse", codes: ["SHA256_WRONG"] },
    normalize: (good: unknown) => String(good).toLowerCase(),
  },
  id: {
    meaning: "The app's own id for the sound. Its result has the same id.",
    form: `text of 1 to ${MAX_ID_LENGTH} characters`,
    schema: { type: "string", minLength: 1, maxLength: MAX_ID_LENGTH, pattern: "^\\P{Cs}*$" },
    fallback: "the position, counted from 1",
    remedy: { kind: "replace" },
  },
  name: {
    meaning: "Names the track, as `<name> (<source.app>)`, the clip and the file on disk.",
    form: `text of at most ${MAX_NAME_LENGTH} letters, digits, spaces and _ - ( ) . ' & + # !`,
    schema: { type: "string", maxLength: MAX_NAME_LENGTH, pattern: `^[${NAME_CHARACTERS}]*$` },
    fallback: "`Sound 1`, `Sound 2` and so on by position",
    remedy: { kind: "clean", maxLength: MAX_NAME_LENGTH, clean: readName },
  },
  kind: {
    meaning:
      "A `loop` is warped to the tempo and looped; a `oneshot` plays unwarped. Set it for every loop.",
    form: listWords(SOUND_KINDS),
    schema: { enum: SOUND_KINDS },
    fallback: "`oneshot`",
    remedy: DROP,
  },
  role: {
    meaning: "Sets the warp mode of a loop. Has no effect on a one-shot.",
    form: listWords(SOUND_ROLES),
    schema: { enum: SOUND_ROLES },
    remedy: DROP,
  },
  bpm: {
    meaning: "The tempo of this loop, if it differs from `tempo.bpm`.",
    ...BPM,
    fallback: "`tempo.bpm`",
    isOnlyForLoops: true,
  },
  length_beats: {
    meaning: "The length of the loop in beats.",
    form: `a number above 0, at most ${MAX_LENGTH_BEATS}`,
    schema: { type: "number", exclusiveMinimum: 0, maximum: MAX_LENGTH_BEATS },
    fallback: "calculated from the tempo and the length of the file",
    isOnlyForLoops: true,
    remedy: DROP,
  },
  warp_mode: {
    meaning: "The warp mode, instead of the one for the `role`. Stored as a name.",
    form: `${listWords(WARP_MODE_KEYS)}, or as a number ${listWords(Object.values(WARP_MODES))}`,
    schema: { enum: [...WARP_MODE_KEYS, ...Object.values(WARP_MODES)] },
    fallback: "the warp mode for the `role`",
    isOnlyForLoops: true,
    remedy: DROP,
    normalize: warpModeName,
  },
  color: {
    meaning:
      "The color of track and clip; the host uses the closest one it has. Stored as `#RRGGBB`.",
    form: "#RRGGBB in hex digits, with or without #",
    schema: { type: "string", pattern: "^#?[0-9A-Fa-f]{6}$" },
    fallback: "the color that the package's other sounds share",
    remedy: DROP,
    normalize: (good: unknown) => `#${String(good).replace("#", "").toUpperCase()}`,
  },
  gain_db: {
    meaning: "The clip's gain in dB.",
    form: `a number from ${MIN_GAIN_DB} to ${MAX_GAIN_DB}`,
    schema: { type: "number", minimum: MIN_GAIN_DB, maximum: MAX_GAIN_DB },
    fallback: "0",
    remedy: { kind: "clamp", min: MIN_GAIN_DB, max: MAX_GAIN_DB },
  },
} as const satisfies Record<keyof Sound, Field>;

/** Every property of the format. Schema, repair and documentation derive from this table. */
export const FIELDS = {
  manifest: MANIFEST_FIELDS,
  source: SOURCE_FIELDS,
  tempo: TEMPO_FIELDS,
  sound: SOUND_FIELDS,
} as const;

/** An object type of the format. */
export type GroupName = keyof typeof FIELDS;

function listWords(words: readonly (string | number)[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function warpModeName(good: unknown): unknown {
  return Object.entries(WARP_MODES).find(([, number]) => number === good)?.[0] ?? good;
}
