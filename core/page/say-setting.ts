import { PALETTE, printColour } from "../layout/palette.ts";
import { WARP_MODE_NAMES } from "../layout/warp-mode.ts";
import type { WarpMode } from "../manifest/manifest.ts";
import type { Difference, Setting } from "../package-status.ts";
import { printNumber } from "../text/print-number.ts";

/** The settings as a report names them, with the name that a person reads and how its value is said. */
const SETTINGS: Readonly<Record<string, readonly [name: string, say: (value: Setting) => string]>> =
  {
    track: ["Track name", quote],
    clip: ["Clip name", quote],
    warping: ["Warp", sayOnOff],
    warp_mode: ["Warp mode", (mode) => (isWarpMode(mode) ? sayWarpMode(mode) : sayAsIs(mode))],
    looping: ["Loop", sayOnOff],
    loop_beats: ["Loop length", (beats) => sayNumber(beats, "beats")],
    tempo_bpm: ["Tempo", (bpm) => sayNumber(bpm, "BPM")],
    color_index: ["Colour", sayColour],
    gain_db: ["Gain", (db) => sayNumber(db, "dB")],
  };

/** As the host's own menus name it. */
export function sayWarpMode(mode: WarpMode): string {
  return WARP_MODE_NAMES[mode];
}

/** One difference as a sentence: `Tempo: asked for 126 BPM, got 63 BPM.` */
export function sayDifference({ setting, asked, got }: Difference): string {
  const [name, say] = (Object.hasOwn(SETTINGS, setting) && SETTINGS[setting]) || [setting, sayAsIs];
  return `${name}: asked for ${say(asked)}, got ${say(got)}.`;
}

function sayNumber(value: Setting, unit: string): string {
  if (typeof value !== "number") return sayAsIs(value);
  const sign = value < 0 ? "−" : "";
  return `${sign}${printNumber(Math.abs(value))} ${unit}`;
}

function sayColour(value: Setting): string {
  return typeof value === "number" && PALETTE[value] !== undefined
    ? printColour(value)
    : sayAsIs(value);
}

function sayOnOff(value: Setting): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : sayAsIs(value);
}

function sayAsIs(value: Setting): string {
  return value === null ? "none" : String(value);
}

function quote(value: Setting): string {
  return `“${String(value)}”`;
}

function isWarpMode(value: Setting): value is WarpMode {
  return typeof value === "string" && Object.hasOwn(WARP_MODE_NAMES, value);
}
