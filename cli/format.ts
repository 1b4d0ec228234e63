import { type Difference, isSaved, type SoundResult } from "../core/protocol/package-status.ts";
import { onOneLine, shorten } from "../core/text/shorten.ts";
import { displayWidth, formatTable } from "../core/text/text-table.ts";

/** Formats a number of bytes, such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  while (value >= 999.95 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value.toFixed(1)} ${units[0]}`;
}

/** Formats a time to the minute, such as `2026-11-21 13:45 UTC`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats a time of the last months for a narrow column, in UTC: `Nov 21 13:45`. */
export function momentOf(time: string): string {
  return `${MONTHS[Number(time.slice(5, 7)) - 1]} ${time.slice(8, 10)} ${time.slice(11, 16)}`;
}

/** Shortens a text to a number of terminal columns, on one line. Some characters are two wide. */
export function shortenTo(text: string, width: number): string {
  const line = onOneLine(text);
  let short = line;
  for (let units = line.length; displayWidth(short) > width; units -= 1)
    short = shorten(line, units);
  return short;
}

/** Breaks a text into lines of at most so many terminal columns; the later ones are indented. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of onOneLine(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line.trim() !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = `${indent}${shortenTo(word, width - indent.length)}`;
    } else line = shortenTo(longer, width);
  }
  return [...lines, line].join("\n");
}

/** Formats a day, such as `2026-11-21`. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

/** Formats a headline and the facts below it, one per line. */
export function formatFacts(
  headline: string,
  facts: readonly (readonly [name: string, value: string])[],
): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return [headline, "", ...facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join(
    "\n",
  );
}

/** The result of one sound, with its name. */
export interface SoundOutcome {
  readonly name: string;
  readonly result: SoundResult;
}

/**
 * Formats a table of sounds, then every reason, note and difference with its sound's number. What is true of all
 * imported sounds is said once.
 */
export function formatSounds(sounds: readonly SoundOutcome[]): string {
  const table = formatTable(
    [
      { heading: "#", align: "right" },
      { heading: "Sound", align: "left" },
      { heading: "Result", align: "left" },
      { heading: "Track", align: "left" },
      { heading: "File in the sounds folder", align: "left" },
    ],
    sounds.map(({ name, result }, index) => [
      String(index + 1),
      name,
      isSaved(result) ? "saved" : result.status,
      result.track ?? "–",
      result.path ?? result.file ?? "–",
    ]),
  );
  const width = String(sounds.length).length;
  const shared = sharedNotes(sounds);
  const remarks = [
    ...shared.map((note) => `All: ${note}`),
    ...sounds.flatMap((sound, index) =>
      remarksOn(sound, shared).map((remark) => `${String(index + 1).padStart(width)}  ${remark}`),
    ),
  ];
  return [...table, ...(remarks.length > 0 ? ["", ...remarks] : [])].join("\n");
}

/** Returns the notes that all of several imported sounds have. */
function sharedNotes(sounds: readonly SoundOutcome[]): readonly string[] {
  const [first, ...others] = sounds.filter(({ result }) => result.status === "imported");
  if (others.length === 0) return [];
  return (first?.result.notes ?? []).filter((note) =>
    others.every(({ result }) => result.notes?.includes(note) === true),
  );
}

function remarksOn({ name, result }: SoundOutcome, shared: readonly string[]): string[] {
  const { error, notes = [], differences = [] } = result;
  const sentences = [
    ...(error === undefined ? [] : [error]),
    ...notes.filter((note) => !shared.includes(note)),
    ...differences.map(formatDifference),
  ];
  return sentences.map((sentence) => `${name}: ${sentence}`);
}

function formatDifference({ setting, asked, got }: Difference): string {
  return `${setting} should be ${String(asked)} and is ${String(got)}.`;
}
