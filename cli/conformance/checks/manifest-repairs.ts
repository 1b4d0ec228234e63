/** The codes of warnings that a value can cause. */
type WarningCode =
  | "VALUE_IGNORED"
  | "VALUE_CLAMPED"
  | "TEXT_CUT"
  | "TEXT_CLEANED"
  | "PROPERTY_UNKNOWN"
  | "LOOP_ONLY"
  | "ID_REPLACED"
  | "MIDI_IGNORED";

/** A value of the manifest, and what becomes of it (rules M4, M5). */
export interface Row {
  readonly id: string;
  /** Default: M4. That a valid value has no warning is M5. */
  readonly rule?: string;
  /** Section and words of the public specification, as of a check. */
  readonly spec?: string;
  /** The field that the warning names, such as `tempo.bpm`. */
  readonly field: string;
  /** The warning; none if omitted. */
  readonly code?: WarningCode;
  readonly sent: unknown;
  /** The value that the importer gets, or how it follows from the sound's position; nothing if omitted. */
  readonly kept?: unknown;
}

/** The public specification on values that a relay doesn't know. */
const ONLY_WARNED = "2.5 for unknown kinds, roles and values it only warns and goes on";
const MIDI = "2.3 midi: ignored now, with a warning";
const CLEANED = "2.4 name: any other character becomes a space";

/**
 * Repairs of the manifest, `source` and `tempo`. Each group goes into one package with the edges at its place, so the
 * two have no property in common.
 */
export const MANIFEST_REPAIRS: readonly (readonly Row[])[] = [
  [
    { id: "source-unknown", field: "source.mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
    { id: "tempo-unknown", field: "tempo.swing", code: "PROPERTY_UNKNOWN", sent: 1 },
    { id: "created-at-no-zone", field: "created_at", code: "VALUE_IGNORED", sent: "2026-01-31" },
    { id: "midi", spec: MIDI, field: "midi", code: "MIDI_IGNORED", sent: [] },
    { id: "unknown", field: "mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
  ],
  [],
  [{ id: "signature-short", field: "tempo.time_signature", code: "VALUE_IGNORED", sent: [3] }],
  [],
  [
    { id: "tempo-no-object", field: "tempo", code: "VALUE_IGNORED", sent: 120 },
    { id: "package-id-malformed", field: "package_id", code: "VALUE_IGNORED", sent: "a b" },
  ],
  [],
  [
    {
      id: "title-dirty",
      field: "title",
      code: "TEXT_CLEANED",
      sent: "Night\nDrive 🎹",
      kept: "Night Drive 🎹",
    },
    {
      id: "app-dirty",
      field: "source.app",
      code: "TEXT_CLEANED",
      sent: "Beat/Lab",
      kept: "Beat Lab",
    },
    { id: "app-version-no-text", field: "source.app_version", code: "VALUE_IGNORED", sent: 2 },
    {
      id: "platform-dirty",
      field: "source.platform",
      code: "TEXT_CLEANED",
      sent: "web\u202Eapp",
      kept: "web app",
    },
  ],
  [
    { id: "title-no-text", field: "title", code: "VALUE_IGNORED", sent: 7, kept: "Untitled" },
    { id: "app-no-text", field: "source.app", code: "VALUE_IGNORED", sent: 7, kept: "App" },
    {
      id: "app-version-dirty",
      field: "source.app_version",
      code: "TEXT_CLEANED",
      sent: "1\n2",
      kept: "1 2",
    },
    { id: "platform-no-text", field: "source.platform", code: "VALUE_IGNORED", sent: true },
  ],
  [
    {
      id: "source-no-object",
      field: "source",
      code: "VALUE_IGNORED",
      sent: "App",
      kept: { app: "App" },
    },
  ],
];

/** Repairs of loops, one per sound. */
export const LOOP_REPAIRS: readonly Row[] = [
  {
    id: "name-dirty",
    spec: CLEANED,
    field: "name",
    code: "TEXT_CLEANED",
    sent: "Kick/Snare",
    kept: "Kick Snare",
  },
  {
    id: "name-no-text",
    field: "name",
    code: "VALUE_IGNORED",
    sent: 7,
    kept: (at: number) => `Sound ${at}`,
  },
  { id: "role-unknown", spec: ONLY_WARNED, field: "role", code: "VALUE_IGNORED", sent: "strings" },
  { id: "role-no-text", field: "role", code: "VALUE_IGNORED", sent: 1 },
  { id: "bpm-text", field: "bpm", code: "VALUE_IGNORED", sent: "120" },
  {
    id: "warp-mode-unknown",
    spec: ONLY_WARNED,
    field: "warp_mode",
    code: "VALUE_IGNORED",
    sent: "slices",
  },
  { id: "warp-mode-5", spec: ONLY_WARNED, field: "warp_mode", code: "VALUE_IGNORED", sent: 5 },
  { id: "color-named", spec: ONLY_WARNED, field: "color", code: "VALUE_IGNORED", sent: "red" },
  { id: "color-short", spec: ONLY_WARNED, field: "color", code: "VALUE_IGNORED", sent: "#FFF" },
  { id: "gain-text", field: "gain_db", code: "VALUE_IGNORED", sent: "0" },
  { id: "sound-unknown", field: "mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
];

/** Repairs of one-shots, one per sound. */
export const ONE_SHOT_REPAIRS: readonly Row[] = [
  { id: "kind-unknown", spec: ONLY_WARNED, field: "kind", code: "VALUE_IGNORED", sent: "drone" },
  { id: "kind-no-text", field: "kind", code: "VALUE_IGNORED", sent: true },
  { id: "one-shot-bpm", spec: ONLY_WARNED, field: "bpm", code: "LOOP_ONLY", sent: 120 },
  { id: "one-shot-bad-bpm", field: "bpm", code: "LOOP_ONLY", sent: 5000 },
  { id: "one-shot-length", field: "length_beats", code: "LOOP_ONLY", sent: 4 },
  { id: "one-shot-warp-mode", field: "warp_mode", code: "LOOP_ONLY", sent: "beats" },
];

const ROLES = ["drums", "bass", "melodic", "vocal", "texture", "fx"];
const FILES = [
  ["capital", "Kick.wav", "2.4 file: first character a letter"],
  ["space", "my kick.wav", "2.4 file: then letters, digits, space"],
  ["signs", "a.b_c-d.wav", "2.4 file: then ., _, -"],
  ["upper-ending", "kick.WAV", "2.4 file: ends in .wav (any letter case)"],
] as const;
/** The first, 0, is an edge. */
const WARP_MODES = [
  ["tones", 1],
  ["texture", 2],
  ["repitch", 3],
  ["complex", 4],
  ["complex_pro", 6],
] as const;

/** Valid values of a loop, and what the importer gets. */
export const GOOD_VALUES: readonly Row[] = [
  ...ROLES.map((role) => good(`role-${role}`, "role", role, `2.4 role: ${role}`)),
  ...FILES.map(([id, file, spec]) => good(`file-${id}`, "file", file, spec)),
  {
    id: "good-length",
    spec: "2.4 length_beats: a number",
    field: "length_beats",
    sent: 3.5,
    kept: 3.5,
  },
  ...WARP_MODES.flatMap(([name, number]) => [
    good(`warp-${name}`, "warp_mode", name, `2.4 warp_mode: ${name}`),
    good(`warp-${number}`, "warp_mode", number, `2.4 warp_mode: an integer ${number}`, name),
  ]),
  {
    id: "good-color",
    spec: "2.4 color: the # is optional",
    field: "color",
    sent: "ff8800",
    kept: "#FF8800",
  },
  {
    id: "good-name",
    spec: "2.4 name: letters of any language, digits, space and some signs",
    field: "name",
    sent: "Größe (2) & more!",
    kept: "Größe (2) & more!",
  },
  { id: "good-name-spaces", field: "name", sent: "  Deep   Kick ", kept: "Deep Kick" },
];

function good(name: string, field: string, sent: unknown, spec: string, kept = sent): Row {
  return { id: `good-${name.replace("_", "-")}`, spec, field, sent, kept };
}
