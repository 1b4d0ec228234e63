import { LIMITS } from "../limits.ts";
import { digestOf, makeWav } from "../sounds.ts";
import {
  astral,
  astralCut,
  blank,
  clamped,
  cut,
  ignored,
  kept,
  LIMIT_OF,
  replaced,
  x,
} from "./edge-rows.ts";
import type { Row } from "./manifest-repairs.ts";
import { badSound, GOOD, items, type RefusedCase } from "./refused-case.ts";

const SIGNATURE = "2.3 tempo.time_signature: two integers, each at least 1";
const CREATED_AT = "2.3 created_at: ISO 8601 date-time, only logged";
const WARP_MODE = "2.4 warp_mode: an integer 0, 1, 2, 3, 4, 6";
const { titleCharacters, nameCharacters, idCharacters, fileCharacters, bpm, gainDb } = LIMITS;

/** A letter of two UTF-16 units. */
const LETTER = "\u{10400}";
const EMOJI = "\u{1f3b9}";

/** Values at the ends of their ranges and one past them; no two in a group touch the same property. */
export const MANIFEST_EDGES: readonly (readonly Row[])[] = [
  [
    kept("title-60", "title", x(titleCharacters)),
    kept("app-40", "source.app", x(nameCharacters)),
    kept("app-version-40", "source.app_version", x(nameCharacters)),
    kept("platform-40", "source.platform", x(nameCharacters)),
    kept("tempo-999", "tempo.bpm", bpm.most),
    { ...kept("signature-1", "tempo.time_signature", [1, 1]), spec: SIGNATURE },
    kept("package-id-100", "package_id", x(idCharacters)),
  ],
  [
    cut("title-long", "title", x(titleCharacters + 1), x(titleCharacters)),
    cut("app-long", "source.app", x(nameCharacters + 1), x(nameCharacters)),
    cut("app-version-long", "source.app_version", x(nameCharacters + 1), x(nameCharacters)),
    cut("platform-long", "source.platform", x(nameCharacters + 1), x(nameCharacters)),
    ignored("tempo-high", "tempo.bpm", bpm.most + 0.1),
    ignored("signature-zero", "tempo.time_signature", [0, 1]),
    ignored("package-id-101", "package_id", x(idCharacters + 1)),
  ],
  [
    kept("title-1", "title", "x"),
    kept("app-1", "source.app", "x"),
    kept("app-version-1", "source.app_version", "1"),
    kept("platform-1", "source.platform", "x"),
    kept("tempo-20", "tempo.bpm", bpm.least),
    { ...kept("created-at", "created_at", "2026-01-31T12:00:00Z"), spec: CREATED_AT },
    kept("package-id-1", "package_id", "x"),
  ],
  [
    blank("title-blank", "title", "Untitled"),
    blank("app-blank", "source.app", "App"),
    blank("app-version-blank", "source.app_version"),
    blank("platform-blank", "source.platform"),
    ignored("tempo-low", "tempo.bpm", bpm.least - 0.1),
    ignored("signature-second-zero", "tempo.time_signature", [1, 0]),
    ignored("package-id-blank", "package_id", ""),
  ],
  [
    astral("title-60-emoji", "title", EMOJI.repeat(titleCharacters)),
    astral("app-40-astral", "source.app", LETTER.repeat(nameCharacters)),
    astral("app-version-40-emoji", "source.app_version", EMOJI.repeat(nameCharacters)),
    astral("platform-40-emoji", "source.platform", EMOJI.repeat(nameCharacters)),
  ],
  [
    astralCut("title-61-emoji", "title", EMOJI, titleCharacters),
    astralCut("app-41-astral", "source.app", LETTER, nameCharacters),
    astralCut("app-version-41-emoji", "source.app_version", EMOJI, nameCharacters),
    astralCut("platform-41-emoji", "source.platform", EMOJI, nameCharacters),
    { id: "tempo-fraction", field: "tempo.bpm", sent: 120.25, kept: 120.25 },
  ],
];

/** The same of loops, one per sound. */
export const SOUND_EDGES: readonly Row[] = [
  kept("name-40", "name", x(nameCharacters)),
  cut("name-long", "name", x(nameCharacters + 1), x(nameCharacters)),
  kept("name-1", "name", "x"),
  { ...blank("name-blank", "name"), kept: (position: number) => `Sound ${position}` },
  astral("name-40-astral", "name", LETTER.repeat(nameCharacters)),
  astralCut("name-41-astral", "name", LETTER, nameCharacters),
  kept("bpm-20", "bpm", bpm.least),
  kept("good-bpm-edge", "bpm", bpm.most),
  kept("bpm-fraction", "bpm", 123.45),
  ignored("bpm-low", "bpm", bpm.least - 0.1),
  ignored("bpm-high", "bpm", bpm.most + 0.1),
  kept("length-tiny", "length_beats", 0.001),
  kept("length-4096", "length_beats", LIMITS.lengthBeats),
  ignored("length-zero", "length_beats", 0),
  ignored("length-negative", "length_beats", -0.5),
  ignored("length-high", "length_beats", LIMITS.lengthBeats + 0.5),
  kept("good-gain", "gain_db", gainDb.least),
  kept("gain-24", "gain_db", gainDb.most),
  kept("gain-fraction", "gain_db", -3.25),
  clamped("gain-low", "gain_db", gainDb.least - 0.1, gainDb.least),
  clamped("gain-high", "gain_db", gainDb.most + 0.1, gainDb.most),
  { ...kept("id-100", "id", x(idCharacters)), rule: "M7" },
  { ...kept("id-100-other", "id", `${x(idCharacters - 1)}y`), rule: "M7" },
  { ...kept("id-1", "id", "x"), rule: "M7" },
  { ...astral("id-100-astral", "id", LETTER.repeat(idCharacters)), rule: "M7" },
  replaced("id-101", x(idCharacters + 1)),
  replaced("id-blank", ""),
  { ...kept("file-100", "file", `${x(fileCharacters - 4)}.wav`), rule: "M3" },
  { ...kept("file-100-other", "file", `${x(fileCharacters - 5)}y.wav`), rule: "M3" },
  {
    id: "sha256-upper",
    rule: "M3",
    field: "sha256",
    sent: digestOf(makeWav()).toUpperCase(),
    kept: digestOf(makeWav()),
    spec: "2.4 sha256: 64 hex characters (either case)",
  },
  { id: "warp-mode-0", field: "warp_mode", sent: 0, kept: "beats", spec: WARP_MODE },
  { id: "warp-mode-7", field: "warp_mode", code: "VALUE_IGNORED", sent: 7, spec: WARP_MODE },
];

const BYTES = "2.4 bytes: 1 to 209715200";
const SHA256 = "2.4 sha256: 64 hex characters";

/** One past the edges of what no repair can save. */
export const REFUSED_EDGES: readonly RefusedCase[] = [
  {
    rule: "M1",
    id: "items-empty",
    words: "without a sound",
    body: items(),
    code: "ITEMS_MISSING",
    spec: "2.3 items: 1 to 32 entries",
  },
  {
    rule: "M1",
    id: "33-items",
    words: "of 33 sounds",
    body: items(
      ...Array.from({ length: LIMITS.sounds + 1 }, (_, at) => ({ ...GOOD, file: `${at}.wav` })),
    ),
    code: "ITEMS_TOO_MANY",
    spec: "2.3 items: 1 to 32 entries",
  },
  badSound(
    "file-too-long",
    "a file name of 101 characters",
    { file: `${x(fileCharacters - 3)}.wav` },
    "FILE_NAME_WRONG",
    LIMIT_OF["file"]?.spec,
  ),
  badSound("bytes-none", "a sound of 0 bytes", { bytes: 0 }, "BYTES_WRONG", BYTES),
  badSound(
    "bytes-many",
    "a sound of 209715201 bytes",
    { bytes: LIMITS.packageBytes + 1 },
    "BYTES_WRONG",
    BYTES,
  ),
  badSound(
    "total",
    "209715201 bytes in all",
    { bytes: LIMITS.packageBytes - GOOD.bytes + 1 },
    "TOTAL_TOO_LARGE",
    "2.5 the server refuses more than 200 MB in total",
  ),
  badSound("sha256-short", "a sha256 of 63 digits", { sha256: x(63, "0") }, "SHA256_WRONG", SHA256),
  badSound("sha256-long", "a sha256 of 65 digits", { sha256: x(65, "0") }, "SHA256_WRONG", SHA256),
];
