import { countOf } from "../text/count-of.ts";
import { displayWidth, formatTable, type TableColumn } from "../text/text-table.ts";
import { onOneLine } from "../text/shorten.ts";
import { formatNumber } from "../text/format-number.ts";
import type { Layout, PlannedSound } from "./layout.ts";
import { formatColor } from "./palette.ts";
import { WARP_MODE_NAMES } from "./warp-mode.ts";

const COLUMNS: readonly TableColumn[] = [
  { heading: "#", align: "right" },
  { heading: "Track", align: "left" },
  { heading: "Kind", align: "left" },
  { heading: "Warp", align: "left" },
  { heading: "Beats", align: "right" },
  { heading: "Tempo", align: "right" },
  { heading: "Color", align: "left" },
  { heading: "Gain", align: "right" },
];

/**
 * Formats a layout as plain text: the scene, a table of tracks, then unusable sounds, notes and
 * warnings. Deterministic; ends with a line break.
 */
export function formatLayout(layout: Layout<number | null>): string {
  const scene = onOneLine(layout.scene.name);
  const numbers = new Map(layout.tracks.map((sound, index) => [sound.soundId, index + 1]));
  const problems = layout.tracks.flatMap((sound) =>
    "error" in sound ? [aboutSound(sound, sound.error)] : [],
  );
  const notes = layout.tracks.flatMap((sound) =>
    "error" in sound ? [] : sound.notes.map((note) => aboutSound(sound, note)),
  );
  const warnings = layout.warnings.map(({ sound = "", message }) => ({ sound, message }));
  const lines = [
    scene,
    "═".repeat(displayWidth(scene)),
    countSounds(layout.tracks),
    "",
    ...formatTable(COLUMNS, layout.tracks.map(cellsOf)),
    ...formatRemarks("Not usable", problems, numbers),
    ...formatRemarks("Notes", notes, numbers),
    ...formatRemarks("Warnings", warnings, numbers),
  ];
  return `${lines.join("\n")}\n`;
}

/** Formats the summary, such as `8 sounds: 5 loops, 2 one-shots, 1 not usable`. */
function countSounds(sounds: readonly PlannedSound<number | null>[]): string {
  const usable = sounds.filter((sound) => !("error" in sound));
  const loops = usable.filter(({ kind }) => kind === "loop").length;
  const oneShots = usable.length - loops;
  const unusable = sounds.length - usable.length;
  const parts = [
    loops > 0 ? countOf(loops, "loop") : "",
    oneShots > 0 ? countOf(oneShots, "one-shot") : "",
    unusable > 0 ? `${unusable} not usable` : "",
  ].filter((part) => part !== "");
  return `${countOf(sounds.length, "sound")}: ${parts.join(", ")}`;
}

/** Formats the cells of one sound, in the order of the columns. */
function cellsOf(sound: PlannedSound<number | null>, index: number): string[] {
  const kind = sound.kind === "loop" ? "loop" : "one-shot";
  const names = [String(index + 1), onOneLine(sound.trackName), kind];
  if ("error" in sound) return [...names, "not usable"];
  const isLoop = sound.kind === "loop";
  return [
    ...names,
    sound.warpMode === null ? "–" : WARP_MODE_NAMES[sound.warpMode],
    isLoop ? formatOrGuessed(sound.loopEndBeats) : "–",
    isLoop ? formatOrGuessed(sound.tempoBpm) : "–",
    formatColorOrAutomatic(sound.colorIndex),
    formatGain(sound.gainDb),
  ];
}

function formatOrGuessed(n: number | null): string {
  return n === null ? "guessed" : formatNumber(n);
}

function formatColorOrAutomatic(colorIndex: number | null): string {
  return colorIndex === null ? "automatic" : `${formatColor(colorIndex)} (${colorIndex})`;
}

function formatGain(gainDb: number): string {
  const sign = gainDb > 0 ? "+" : gainDb < 0 ? "-" : "";
  return `${sign}${formatNumber(Math.abs(gainDb))} dB`;
}

interface Remark {
  /** The sound's id; empty for the package. */
  readonly sound: string;
  readonly message: string;
}

function aboutSound(sound: PlannedSound<number | null>, sentence: string): Remark {
  return { sound: sound.soundId, message: `${sound.clipName}: ${sentence}` };
}

/** Formats a heading and its remarks, each with its sound's number in the table. Empty without remarks. */
function formatRemarks(
  heading: string,
  remarks: readonly Remark[],
  numbers: ReadonlyMap<string, number>,
): string[] {
  if (remarks.length === 0) return [];
  const width = String(numbers.size).length;
  const lines = remarks.map(({ sound, message }) => {
    const number = numbers.get(sound) ?? "–";
    return `  ${String(number).padStart(width)}  ${onOneLine(message)}`;
  });
  return ["", heading, ...lines];
}
