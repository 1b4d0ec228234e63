import { describe, expect, test } from "vitest";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { isWithoutNumber, readTable, type TableRow } from "./guess-tables.ts";

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
