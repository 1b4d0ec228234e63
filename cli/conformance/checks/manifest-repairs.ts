/** The codes of warnings that a value can cause. */
type WarningCode =
  | "VALUE_IGNORED"
  | "VALUE_CLAMPED"
  | "TEXT_CUT"
  | "TEXT_CLEANED"
  | "PROPERTY_UNKNOWN"
  | "LOOP_ONLY"
  | "MIDI_IGNORED";

/** A value that is repaired with a warning (rule M4). */
export interface Repair {
  readonly id: string;
  /** The field that the warning names, such as `tempo.bpm`. */
  readonly field: string;
  readonly code: WarningCode;
  readonly sent: unknown;
  /** The value that the importer gets instead; nothing if omitted. */
  readonly kept?: unknown;
}

const LONG = "x".repeat(70);

/** Repairs of the manifest, `source` and `tempo`; no two in a group touch the same property. */
export const MANIFEST_REPAIRS: readonly (readonly Repair[])[] = [
  [
    { id: "title-long", field: "title", code: "TEXT_CUT", sent: LONG, kept: "x".repeat(60) },
    {
      id: "app-dirty",
      field: "source.app",
      code: "TEXT_CLEANED",
      sent: "Beat/Lab",
      kept: "Beat Lab",
    },
    {
      id: "app-version-long",
      field: "source.app_version",
      code: "TEXT_CUT",
      sent: LONG,
      kept: "x".repeat(40),
    },
    {
      id: "platform-long",
      field: "source.platform",
      code: "TEXT_CUT",
      sent: LONG,
      kept: "x".repeat(40),
    },
    { id: "source-unknown", field: "source.mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
    { id: "tempo-high", field: "tempo.bpm", code: "VALUE_IGNORED", sent: 1000 },
    { id: "signature-short", field: "tempo.time_signature", code: "VALUE_IGNORED", sent: [3] },
    { id: "tempo-unknown", field: "tempo.swing", code: "PROPERTY_UNKNOWN", sent: 1 },
    { id: "created-at-no-zone", field: "created_at", code: "VALUE_IGNORED", sent: "2026-01-31" },
    { id: "midi", field: "midi", code: "MIDI_IGNORED", sent: [] },
    { id: "unknown", field: "mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
  ],
  [
    {
      id: "title-dirty",
      field: "title",
      code: "TEXT_CLEANED",
      sent: "Night\nDrive 🎹",
      kept: "Night Drive 🎹",
    },
    { id: "app-long", field: "source.app", code: "TEXT_CUT", sent: LONG, kept: "x".repeat(40) },
    { id: "app-version-no-text", field: "source.app_version", code: "VALUE_IGNORED", sent: 2 },
    {
      id: "platform-dirty",
      field: "source.platform",
      code: "TEXT_CLEANED",
      sent: "web\u202Eapp",
      kept: "web app",
    },
    { id: "tempo-low", field: "tempo.bpm", code: "VALUE_IGNORED", sent: 19.9 },
    { id: "signature-zero", field: "tempo.time_signature", code: "VALUE_IGNORED", sent: [0, 4] },
  ],
  [
    { id: "title-no-text", field: "title", code: "VALUE_IGNORED", sent: 7, kept: "Untitled" },
    {
      id: "source-no-object",
      field: "source",
      code: "VALUE_IGNORED",
      sent: "App",
      kept: { app: "App" },
    },
    { id: "tempo-no-object", field: "tempo", code: "VALUE_IGNORED", sent: 120 },
    {
      id: "package-id-malformed",
      field: "package_id",
      code: "VALUE_IGNORED",
      sent: "a b",
      kept: "the relay's own",
    },
  ],
  [
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
];

/** Repairs of loops, one per sound. */
export const LOOP_REPAIRS: readonly Repair[] = [
  { id: "name-long", field: "name", code: "TEXT_CUT", sent: LONG, kept: "x".repeat(40) },
  { id: "name-dirty", field: "name", code: "TEXT_CLEANED", sent: "Kick/Snare", kept: "Kick Snare" },
  { id: "name-no-text", field: "name", code: "VALUE_IGNORED", sent: 7, kept: "Sound 3" },
  { id: "role-unknown", field: "role", code: "VALUE_IGNORED", sent: "strings" },
  { id: "role-no-text", field: "role", code: "VALUE_IGNORED", sent: 1 },
  { id: "bpm-high", field: "bpm", code: "VALUE_IGNORED", sent: 999.1 },
  { id: "bpm-low", field: "bpm", code: "VALUE_IGNORED", sent: 19 },
  { id: "bpm-text", field: "bpm", code: "VALUE_IGNORED", sent: "120" },
  { id: "length-zero", field: "length_beats", code: "VALUE_IGNORED", sent: 0 },
  { id: "length-high", field: "length_beats", code: "VALUE_IGNORED", sent: 4097 },
  { id: "warp-mode-unknown", field: "warp_mode", code: "VALUE_IGNORED", sent: "slices" },
  { id: "warp-mode-5", field: "warp_mode", code: "VALUE_IGNORED", sent: 5 },
  { id: "color-named", field: "color", code: "VALUE_IGNORED", sent: "red" },
  { id: "color-short", field: "color", code: "VALUE_IGNORED", sent: "#FFF" },
  { id: "gain-high", field: "gain_db", code: "VALUE_CLAMPED", sent: 24.5, kept: 24 },
  { id: "gain-low", field: "gain_db", code: "VALUE_CLAMPED", sent: -100, kept: -70 },
  { id: "gain-text", field: "gain_db", code: "VALUE_IGNORED", sent: "0" },
  { id: "sound-unknown", field: "mood", code: "PROPERTY_UNKNOWN", sent: "sad" },
];

/** Repairs of one-shots, one per sound. */
export const ONE_SHOT_REPAIRS: readonly Repair[] = [
  { id: "kind-unknown", field: "kind", code: "VALUE_IGNORED", sent: "drone" },
  { id: "kind-no-text", field: "kind", code: "VALUE_IGNORED", sent: true },
  { id: "one-shot-bpm", field: "bpm", code: "LOOP_ONLY", sent: 120 },
  { id: "one-shot-bad-bpm", field: "bpm", code: "LOOP_ONLY", sent: 5000 },
  { id: "one-shot-length", field: "length_beats", code: "LOOP_ONLY", sent: 4 },
  { id: "one-shot-warp-mode", field: "warp_mode", code: "LOOP_ONLY", sent: "beats" },
];

/** Valid values of a loop, and what the importer gets. */
export const GOOD_VALUES: readonly Omit<Repair, "code">[] = [
  { id: "good-role", field: "role", sent: "drums", kept: "drums" },
  { id: "good-bpm-edge", field: "bpm", sent: 999, kept: 999 },
  { id: "good-length", field: "length_beats", sent: 3.5, kept: 3.5 },
  { id: "good-warp-mode", field: "warp_mode", sent: "complex_pro", kept: "complex_pro" },
  { id: "good-warp-number", field: "warp_mode", sent: 6, kept: "complex_pro" },
  { id: "good-color", field: "color", sent: "ff8800", kept: "#FF8800" },
  { id: "good-gain", field: "gain_db", sent: -70, kept: -70 },
  { id: "good-name", field: "name", sent: "Größe (2) & more!", kept: "Größe (2) & more!" },
  { id: "good-name-spaces", field: "name", sent: "  Deep   Kick ", kept: "Deep Kick" },
];
