import { describe, expect, test } from "vitest";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";

/** The first was written before the guesser, two against it, and the last two from its rules alone. */
const TABLES = [
  "table.tsv",
  "second-table.tsv",
  "third-table.tsv",
  "fourth-table.tsv",
  "fifth-table.tsv",
] as const;
const TOLERANCE = 0.001;

/** Checks kind and tempo; half or double is wrong, and so is an answer to what a person should decide. */
function isRight({ input, answer }: TableRow): boolean {
  const { kind, bpm } = guessSound(input);
  const asks = kind === null || (kind === "loop" && bpm === null);
  if (answer.kind === "ask") return asks;
  if (kind !== answer.kind) return false;
  return kind === "oneshot" || Math.abs((bpm ?? 0) / (answer.bpm ?? 1) - 1) <= TOLERANCE;
}

function shareRight(rows: readonly TableRow[]): number {
  return rows.filter(isRight).length / rows.length;
}

function namesOf(rows: readonly TableRow[]): readonly string[] {
  return rows.map(({ input }) => input.fileName);
}

test("[Y7] the tables are large enough, and every answer is possible", () => {
  const first = readTable("table.tsv");
  expect(first.length).toBeGreaterThanOrEqual(150);
  expect(first.filter(isWithoutNumber).length).toBeGreaterThanOrEqual(50);
  expect(first.filter(({ answer }) => answer.kind === "oneshot").length).toBeGreaterThanOrEqual(50);
  for (const { input, answer } of TABLES.flatMap(readTable)) {
    const { bpm, lengthBeats, kind } = answer;
    expect([bpm !== undefined, lengthBeats !== undefined]).toEqual(
      kind === "loop" ? [true, true] : [false, false],
    );
    const loopSeconds = ((lengthBeats ?? 0) * 60) / (bpm ?? 1);
    // A loop ends in its file; a hand-cut one may be some milliseconds short.
    expect(input.frames / input.sampleRateHz - loopSeconds).toBeGreaterThan(-0.01);
  }
});

describe.each(TABLES)("[Y7] %s", (name) => {
  const ROWS = readTable(name);

  test("is right in at least 95 of 100, also without a number in the name", () => {
    expect(shareRight(ROWS)).toBeGreaterThanOrEqual(0.95);
    expect(shareRight(ROWS.filter(isWithoutNumber))).toBeGreaterThanOrEqual(0.95);
  });

  test("has no one-shot made a loop", () => {
    const made = ROWS.filter(
      ({ input, answer }) => answer.kind === "oneshot" && guessSound(input).kind === "loop",
    );
    expect(namesOf(made)).toEqual([]);
  });

  test("keeps the rows that are wrong, each with its reason", () => {
    const wrong = namesOf(ROWS.filter((row) => !isRight(row)));
    const explained = namesOf(ROWS.filter(({ wrongBecause }) => wrongBecause !== undefined));
    expect(wrong).toEqual(explained);
  });

  test("has the beats of each loop that is right", () => {
    const loops = ROWS.filter((row) => row.answer.kind === "loop" && isRight(row));
    for (const { input, answer } of loops) {
      expect([input.fileName, guessSound(input).lengthBeats]).toEqual([
        input.fileName,
        answer.lengthBeats,
      ]);
    }
  });

  test("has roles, keys and titles where one answer is right", () => {
    for (const { input, answer } of ROWS) {
      const { role, key, title } = guessSound(input);
      const guessed = {
        ...(answer.role !== undefined && { role }),
        ...(answer.key !== undefined && { key }),
        ...(answer.title !== undefined && { title }),
      };
      const { role: itsRole, key: itsKey, title: itsTitle } = answer;
      expect({ file: input.fileName, ...guessed }).toEqual({
        file: input.fileName,
        ...(itsRole !== undefined && { role: itsRole }),
        ...(itsKey !== undefined && { key: itsKey }),
        ...(itsTitle !== undefined && { title: itsTitle }),
      });
    }
  });
});

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
