import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";

/** The right answer for a sound; `ask`: nobody can know without listening. */
export interface Answer {
  readonly kind: "loop" | "oneshot" | "ask";
  /** Tempo of a loop. */
  readonly bpm: number | undefined;
  /** Beats of a loop, without its tail. */
  readonly lengthBeats: number | undefined;
  /** Set, like the next two, if only one answer is right. */
  readonly role: string | undefined;
  readonly key: string | undefined;
  readonly title: string | undefined;
}

/** A sound as producers name them, and what it is. */
export interface TableRow {
  readonly input: GuessInput;
  readonly answer: Answer;
  /** Why the guess is wrong, if it is. */
  readonly wrongBecause: string | undefined;
}

/** Reads a table: one row a line, `#` begins a heading. */
export function readTable(name: string): readonly TableRow[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n");
  return lines.filter((line) => !line.startsWith("#")).map(readRow);
}

/** Checks that a file's name has no digit. */
export function isWithoutNumber({ input }: TableRow): boolean {
  return !/\d/.test(input.fileName);
}

function readRow(line: string): TableRow {
  const [fileName = "", folder, frames, rate, hints, packageBpm, kind, bpm, beats, ...rest] =
    line.split("\t");
  const [role, key, title, wrong] = rest.map((text) => text || undefined);
  if (kind !== "loop" && kind !== "oneshot" && kind !== "ask") throw new Error(line);
  return {
    input: {
      fileName,
      folderName: folder || undefined,
      frames: Number(frames),
      sampleRateHz: Number(rate),
      hints: readHints(hints ?? ""),
      packageBpm: numberOf(packageBpm),
    },
    answer: { kind, bpm: numberOf(bpm), lengthBeats: numberOf(beats), role, key, title },
    wrongBecause: wrong,
  };
}

/** Parses hints such as `acid:16@120`, `acid:oneshot` or `smpl:0-44099`. */
function readHints(text: string): LoopHints {
  if (text === "") return {};
  if (text === "acid:oneshot") return { acid: { isOneShot: true, beats: 0, tempoBpm: 120 } };
  const [chunk, first, second] = text.split(/[:@-]/);
  if (chunk === "acid") {
    return { acid: { isOneShot: false, beats: Number(first), tempoBpm: Number(second) } };
  }
  if (chunk === "smpl") {
    return { sampler: { startFrame: Number(first), endFrame: Number(second) } };
  }
  throw new Error(text);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}
