// `soundferry/core`: the decisions that relay, importer, app and host share. Pure: runs in Node, in a
// browser and in a bare JavaScript context.

export { isJsonObject, type JsonObject } from "./text/json-object.ts";
export * from "./limits.ts";
export { COLOR_ROTATION, colorOfTurn } from "./layout/palette.ts";
export { colorLayout } from "./layout/palette.ts";
export { compareLayouts, type LayoutDifference } from "./layout/compare-layouts.ts";
export type { Layout, PlannedSound, TrackPlan, UnusableSound } from "./layout/layout.ts";
export { type LayoutJson, layoutJson, type TrackJson, trackJson } from "./layout/layout-json.ts";
export { nearestColor } from "./layout/palette.ts";
export { PALETTE, formatColor } from "./layout/palette.ts";
export { needsColorTurn, planLayout, type ReadPackage } from "./layout/plan-layout.ts";
export { NoLayoutError, parseLayoutJson } from "./layout/parse-layout-json.ts";
export { formatLayout } from "./layout/format-layout.ts";
export type * from "./manifest/manifest.ts";
export { SCHEMA, SOUND_KINDS, SOUND_ROLES, WARP_MODES } from "./manifest/manifest.ts";
export {
  type ParsedLocalManifest,
  type ParsedManifest,
  parseLocalManifest,
  parseManifest,
} from "./manifest/parse-manifest.ts";
export { MANIFEST_SCHEMA } from "./manifest/schema.ts";
export { type WarningCode, WARNINGS } from "./manifest/warnings.ts";
export type * from "./protocol/package-status.ts";
export { PACKAGE_STATUSES, statusOfResults } from "./protocol/package-status.ts";
export { makePairingCode, parsePairingCode, formatPairingCode } from "./protocol/pairing-code.ts";
export type * from "./protocol/importer-api.ts";
export type * from "./protocol/public-api.ts";
export { WHERE_TO_IMPORT } from "./protocol/public-api.ts";
export type * from "./protocol/import-outcome.ts";
export type * from "./protocol/panel-api.ts";
export {
  IMPORTER_APIS,
  IMPORTER_HEADER,
  REGISTRATION_KEY_HEADER,
} from "./protocol/importer-api.ts";
export { Refusal, refusal } from "./protocol/refusal.ts";
export { type RefusalCode, REFUSALS } from "./protocol/refusals.ts";
export { SettingsError } from "./settings.ts";
export { cleanName } from "./text/clean-text.ts";
export { cleanTitle } from "./text/clean-text.ts";
export { clashKey, fileNameFor, folderNameFor } from "./text/file-name.ts";
export { VERSION } from "./version.ts";
export { type ReadAt, readWavHeaderAt } from "./audio/read-wav-header-at.ts";
export type { WavHeader } from "./audio/wav-header.ts";
export { WavHeaderReader } from "./audio/wav-header-reader.ts";
