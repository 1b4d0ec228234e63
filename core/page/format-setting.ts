import { isJsonObject } from "../text/json-object.ts";
import { PALETTE, printColour } from "../layout/palette.ts";
import { WARP_MODE_NAMES } from "../layout/warp-mode.ts";
import type { SoundKind, WarpMode } from "../manifest/manifest.ts";
import type { Difference } from "../protocol/package-status.ts";
import { printNumber } from "../text/format-number.ts";

type SaySetting = (value: unknown) => string;

/** What a report and a comparison of layouts are about: its name for people, and how a value is said. */
const SETTINGS: Readonly<Record<string, readonly [name: string, say: SaySetting]>> = {
  track: ["Track name", quote],
  clip: ["Clip name", quote],
  warping: ["Warp", sayOnOff],
  warp_mode: ["Warp mode", (mode) => (isWarpMode(mode) ? sayWarpMode(mode) : sayAsIs(mode))],
  looping: ["Loop", sayOnOff],
  loop_beats: ["Loop length", (beats) => sayNumber(beats, "beats")],
  tempo_bpm: ["Tempo", (bpm) => sayNumber(bpm, "BPM")],
  color_index: ["Colour", sayColour],
  gain_db: ["Gain", (db) => sayNumber(db, "dB")],
  kind: ["Kind", (kind) => (kind === "oneshot" ? "one-shot" : sayAsIs(kind))],
  error: ["Problem", sayAsIs],
  notes: ["Notes", sayAsIs],
  warnings: ["Warnings", sayAsIs],
  scene: ["Scene name", quote],
  order: ["Order", sayAsIs],
  presence: ["Sound", quote],
};

/** As the host's own menus name it. */
export function sayWarpMode(mode: WarpMode): string {
  return WARP_MODE_NAMES[mode];
}

/** The name of a setting as a person reads it; one that is not known keeps its own. */
export function nameSetting(setting: string): string {
  return settingOf(setting)[0];
}

/**
 * A setting's value as a person reads it: `Complex Pro`, `126 BPM`, `none`; undefined is `not there`.
 * @param kind of the sound whose layout it is from: there null is `guessed` for a loop, and for a
 * one-shot `–`, since it has no such setting
 */
export function saySetting(setting: string, value: unknown, kind?: SoundKind): string {
  if (value === undefined) return "not there";
  if (value === null && kind !== undefined) return kind === "loop" ? "guessed" : "–";
  return settingOf(setting)[1](value);
}

/** One difference as a sentence: `Tempo: asked for 126 BPM, got 63 BPM.` */
export function sayDifference({ setting, asked, got }: Difference): string {
  const [name, say] = settingOf(setting);
  return `${name}: asked for ${say(asked)}, got ${say(got)}.`;
}

function settingOf(setting: string): readonly [name: string, say: SaySetting] {
  return (Object.hasOwn(SETTINGS, setting) && SETTINGS[setting]) || [setting, sayAsIs];
}

function sayNumber(value: unknown, unit: string): string {
  if (typeof value !== "number") return sayAsIs(value);
  const sign = value < 0 ? "−" : "";
  return `${sign}${printNumber(Math.abs(value))} ${unit}`;
}

function sayColour(value: unknown): string {
  return typeof value === "number" && PALETTE[value] !== undefined
    ? printColour(value)
    : sayAsIs(value);
}

function sayOnOff(value: unknown): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : sayAsIs(value);
}

/** A list is said entry by entry; of a warning its message. */
function sayAsIs(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(sayAsIs).join(", ");
  if (isJsonObject(value)) return sayAsIs(value["message"]);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quote(value: unknown): string {
  return `“${sayAsIs(value)}”`;
}

function isWarpMode(value: unknown): value is WarpMode {
  return typeof value === "string" && Object.hasOwn(WARP_MODE_NAMES, value);
}
