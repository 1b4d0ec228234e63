import { isJsonObject } from "../text/json-object.ts";
import { PALETTE, formatColor } from "../layout/palette.ts";
import { WARP_MODE_NAMES } from "../layout/warp-mode.ts";
import type { SoundKind, WarpMode } from "../manifest/manifest.ts";
import type { Difference } from "../protocol/package-status.ts";
import { formatNumber } from "../text/format-number.ts";

type FormatValue = (value: unknown) => string;

/** Label and value format of each setting in reports and layout comparisons. */
const SETTINGS: Readonly<Record<string, readonly [name: string, format: FormatValue]>> = {
  track: ["Track name", quote],
  clip: ["Clip name", quote],
  file: ["File", quote],
  warping: ["Warp", formatOnOff],
  warp_mode: ["Warp mode", (mode) => (isWarpMode(mode) ? formatWarpMode(mode) : formatAsIs(mode))],
  looping: ["Loop", formatOnOff],
  start: ["Start", (seconds) => formatQuantity(seconds, "s")],
  loop_start: ["Loop start", (seconds) => formatQuantity(seconds, "s")],
  loop_beats: ["Loop length", (beats) => formatQuantity(beats, "beats")],
  tempo_bpm: ["Tempo", (bpm) => formatQuantity(bpm, "BPM")],
  warp_markers: ["Warp markers", formatAsIs],
  color_index: ["Colour", formatColorValue],
  gain_db: ["Gain", (db) => formatQuantity(db, "dB")],
  kind: ["Kind", (kind) => (kind === "oneshot" ? "one-shot" : formatAsIs(kind))],
  error: ["Problem", formatAsIs],
  notes: ["Notes", formatAsIs],
  warnings: ["Warnings", formatAsIs],
  scene: ["Scene name", quote],
  order: ["Order", formatAsIs],
  presence: ["Sound", quote],
};

/** The mode's name in Live's menus. */
export function formatWarpMode(mode: WarpMode): string {
  return WARP_MODE_NAMES[mode];
}

/** A setting's label; unknown settings keep their key. */
export function nameSetting(setting: string): string {
  return settingOf(setting)[0];
}

/**
 * A setting's value for display: `Complex Pro`, `126 BPM`, `none`; `missing` for undefined.
 * @param kind of the sound, if the value comes from a layout: null is then `guessed` for a loop, `–` for a one-shot
 */
export function formatSetting(setting: string, value: unknown, kind?: SoundKind): string {
  if (value === undefined) return "missing";
  if (value === null && kind !== undefined) return kind === "loop" ? "guessed" : "–";
  return settingOf(setting)[1](value);
}

/** One difference as a sentence: `Tempo: asked for 126 BPM, got 63 BPM.` */
export function formatDifference({ setting, asked, got }: Difference): string {
  const [name, format] = settingOf(setting);
  return `${name}: asked for ${format(asked)}, got ${format(got)}.`;
}

function settingOf(setting: string): readonly [name: string, format: FormatValue] {
  return (Object.hasOwn(SETTINGS, setting) && SETTINGS[setting]) || [setting, formatAsIs];
}

function formatQuantity(value: unknown, unit: string): string {
  if (typeof value !== "number") return formatAsIs(value);
  const sign = value < 0 ? "−" : "";
  return `${sign}${formatNumber(Math.abs(value))} ${unit}`;
}

function formatColorValue(value: unknown): string {
  return typeof value === "number" && PALETTE[value] !== undefined
    ? formatColor(value)
    : formatAsIs(value);
}

function formatOnOff(value: unknown): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : formatAsIs(value);
}

/** Joins lists with commas; shows only the message of a warning. */
function formatAsIs(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatAsIs).join(", ");
  if (isJsonObject(value)) return formatAsIs(value["message"]);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quote(value: unknown): string {
  return `“${formatAsIs(value)}”`;
}

function isWarpMode(value: unknown): value is WarpMode {
  return typeof value === "string" && Object.hasOwn(WARP_MODE_NAMES, value);
}
