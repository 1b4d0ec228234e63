import { describe, expect, test } from "vitest";
import { hearRows, judgeHeard } from "./heard-answers.ts";
import { LOOPS } from "./loop-recipes.ts";
import { readListeningTable } from "./render-row.ts";
import { SHOTS } from "./shot-recipes.ts";

const TABLES = ["table.tsv", "second-table.tsv"] as const;
const KNOWN_CHANGES = new Set("swing loose fill noise tail lead pad cut".split(" "));
/** The whole tables are heard by the slow test. */
const SAMPLED = 16;
/** Rows that are quickly rendered. */
const FIRST_SAMPLED = 3;

describe.each(TABLES)("[Y10] %s", (name) => {
  const ROWS = readListeningTable(name);
  const LOOP_ROWS = ROWS.filter(({ kind }) => kind === "loop");

  test("has 120 loops and 60 one-shots, at tempi of all kinds", () => {
    expect(LOOP_ROWS.length).toBeGreaterThanOrEqual(120);
    expect(ROWS.length - LOOP_ROWS.length).toBeGreaterThanOrEqual(60);
    const tempi = LOOP_ROWS.map(({ bpm }) => bpm);
    expect(Math.min(...tempi)).toBeLessThan(70);
    expect(Math.max(...tempi)).toBeGreaterThan(180);
    expect(tempi.filter((bpm) => !Number.isInteger(bpm)).length).toBeGreaterThanOrEqual(15);
    for (const { lengthBeats, bpm, changes } of LOOP_ROWS) {
      expect((lengthBeats * 60) / bpm).toBeLessThan(60);
      expect(Object.keys(changes).filter((change) => !KNOWN_CHANGES.has(change))).toEqual([]);
    }
  });

  test("is answered rightly or not at all, in a few rows", () => {
    const { right, wrong } = hearRows(ROWS.filter((_, index) => index % SAMPLED === FIRST_SAMPLED));
    expect(wrong).toEqual([]);
    expect(right.length).toBeGreaterThanOrEqual(ROWS.length / SAMPLED / 3);
  });
});

test("[Y10] the tables have every recipe", () => {
  const recipes = TABLES.flatMap(readListeningTable).map(({ recipe }) => recipe);
  expect(new Set(recipes)).toEqual(new Set([...Object.keys(LOOPS), ...Object.keys(SHOTS)]));
});

test("[Y10] half and double tempo are wrong, and so is a kind", () => {
  const row = readListeningTable("table.tsv")[0];
  if (row === undefined) throw new Error("no row");
  const heard = { kind: "loop", bpm: 120, lengthBeats: 16, confidence: 0.6 } as const;
  expect(judgeHeard(row, heard, 8)).toBe("right");
  expect(judgeHeard(row, { ...heard, bpm: 60, lengthBeats: 8 }, 8)).toBe("wrong");
  expect(judgeHeard(row, { ...heard, bpm: 240, lengthBeats: 32 }, 8)).toBe("wrong");
  expect(judgeHeard(row, { ...heard, bpm: null, lengthBeats: null }, 8)).toBe("kind only");
  expect(judgeHeard(row, { ...heard, kind: "oneshot", bpm: null }, 8)).toBe("wrong");
});
