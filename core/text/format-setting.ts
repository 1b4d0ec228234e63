import { isJsonObject } from "./json-object.ts";
import type { Translate } from "../messages/translate.ts";
import { PALETTE, formatColor } from "../layout/palette.ts";
import { WARP_MODE_NAMES } from "../layout/warp-mode.ts";
import { SOUND_ROLES, type SoundKind, type WarpMode } from "../manifest/manifest.ts";
import type { Difference } from "../protocol/package-status.ts";
import { formatNumber } from "./format-number.ts";

type FormatValue = (t: Translate, value: unknown) => string;

/** The value format of each setting in reports and layout comparisons. */
const SETTINGS = {
  track: quote,
  clip: quote,
  file: quote,
  warping: formatOnOff,
  warp_mode: (t, mode) => (isWarpMode(mode) ? formatWarpMode(mode) : formatAsIs(t, mode)),
  looping: formatOnOff,
  start: quantityIn("format.seconds"),
  loop_start: quantityIn("format.seconds"),
  loop_beats: formatBeatsValue,
  tempo_bpm: quantityIn("format.bpm"),
  warp_markers: formatAsIs,
  color_index: formatColorValue,
  gain_db: quantityIn("format.decibels"),
  kind: formatKindValue,
  error: formatAsIs,
  notes: formatAsIs,
  warnings: formatAsIs,
  scene: quote,
  order: formatAsIs,
  presence: quote,
  role: formatRoleValue,
  time_signature: formatAsIs,
  audio: formatDigest,
  encoding: formatAsIs,
  bits: formatAsIs,
  channels: formatAsIs,
  sample_rate_hz: formatHertz,
  length: quantityIn("format.seconds"),
} as const satisfies Readonly<Record<string, FormatValue>>;

/** Formats a warp mode as in Live's menus. */
export function formatWarpMode(mode: WarpMode): string {
  return WARP_MODE_NAMES[mode];
}

/** Formats a setting's label; unknown settings keep their key. */
export function nameSetting(t: Translate, setting: string): string {
  return isKnown(setting) ? t(`format.setting-${setting}`) : setting;
}

/**
 * Formats a setting's value for display: `Complex Pro`, `126 BPM`; `none` for undefined, `missing` for a sound.
 * @param kind the sound's kind, if the value comes from a layout: null is then `guessed` for a loop, `–` for a
 *   one-shot, and `automatic` for a color
 */
export function formatSetting(
  t: Translate,
  setting: string,
  value: unknown,
  kind?: SoundKind,
): string {
  if (value === undefined) return t(setting === "presence" ? "format.missing" : "format.none");
  if (value === null && kind !== undefined) {
    if (setting === "color_index") return t("format.automatic");
    return kind === "loop" ? t("format.guessed") : "–";
  }
  return formatOf(setting)(t, value);
}

/** Formats one difference as a sentence: `Tempo: asked for 126 BPM, got 63 BPM.` */
export function formatDifference(t: Translate, { setting, asked, got }: Difference): string {
  const format = formatOf(setting);
  return t("format.difference", {
    setting: nameSetting(t, setting),
    asked: format(t, asked),
    got: format(t, got),
  });
}

/** Formats a number of beats, such as `3.5 beats`. */
export function formatBeats(t: Translate, beats: number): string {
  return t("format.beats", { count: Number(formatNumber(beats)) });
}

/** Formats a gain with its sign, such as `−6.3 dB`; `0 dB` has none. */
export function formatGain(t: Translate, gainDb: number): string {
  const size = t("format.number", { value: Number(formatNumber(Math.abs(gainDb), 1)) });
  const sign = gainDb < 0 ? "−" : gainDb > 0 ? "+" : "";
  return t("format.decibels", { value: `${sign}${size}` });
}

function isKnown(setting: string): setting is keyof typeof SETTINGS {
  return Object.hasOwn(SETTINGS, setting);
}

function formatOf(setting: string): FormatValue {
  return isKnown(setting) ? SETTINGS[setting] : formatAsIs;
}

function quantityIn(unit: "format.seconds" | "format.bpm" | "format.decibels"): FormatValue {
  return (t, value) => {
    if (typeof value !== "number") return formatAsIs(t, value);
    const size = t("format.number", { value: Number(formatNumber(Math.abs(value))) });
    return t(unit, { value: value < 0 ? `−${size}` : size });
  };
}

function formatBeatsValue(t: Translate, value: unknown): string {
  return typeof value === "number" ? formatBeats(t, value) : formatAsIs(t, value);
}

function formatKindValue(t: Translate, value: unknown): string {
  return value === "oneshot" ? "one-shot" : formatAsIs(t, value);
}

function formatRoleValue(t: Translate, value: unknown): string {
  const role = SOUND_ROLES.find((one) => one === value);
  return role === undefined ? formatAsIs(t, value) : t(`format.role-${role}`);
}

/** The first digits of a hash tell two sounds apart. */
function formatDigest(t: Translate, value: unknown): string {
  return typeof value === "string" ? value.slice(0, 8) : formatAsIs(t, value);
}

function formatHertz(t: Translate, value: unknown): string {
  return typeof value === "number" ? `${value} Hz` : formatAsIs(t, value);
}

function formatColorValue(t: Translate, value: unknown): string {
  return typeof value === "number" && PALETTE[value] !== undefined
    ? formatColor(value)
    : formatAsIs(t, value);
}

function formatOnOff(t: Translate, value: unknown): string {
  if (typeof value !== "boolean") return formatAsIs(t, value);
  return value ? t("format.on") : t("format.off");
}

/** Joins lists with commas; shows only the message of a warning. */
function formatAsIs(t: Translate, value: unknown): string {
  if (value === null || value === undefined) return t("format.none");
  if (Array.isArray(value)) {
    return value.length === 0
      ? t("format.none")
      : value.map((one) => formatAsIs(t, one)).join(", ");
  }
  if (isJsonObject(value)) return formatAsIs(t, value["message"]);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quote(t: Translate, value: unknown): string {
  return t("format.quoted", { text: formatAsIs(t, value) });
}

function isWarpMode(value: unknown): value is WarpMode {
  return typeof value === "string" && Object.hasOwn(WARP_MODE_NAMES, value);
}
