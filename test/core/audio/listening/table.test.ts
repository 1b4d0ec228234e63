import { expect, test } from "vitest";
import { LOOPS } from "./loop-recipes.ts";
import { readListeningTable } from "./render-row.ts";
import { SHOTS } from "./shot-recipes.ts";

const ROWS = readListeningTable("table.tsv");
const LOOP_ROWS = ROWS.filter(({ kind }) => kind === "loop");

test("[Y10] the table has 120 loops and 60 one-shots of every recipe, at tempi of all kinds", () => {
  const shots = ROWS.filter(({ kind }) => kind === "oneshot");
  expect(LOOP_ROWS.length).toBeGreaterThanOrEqual(120);
  expect(shots.length).toBeGreaterThanOrEqual(60);
  expect(new Set(LOOP_ROWS.map(({ recipe }) => recipe))).toEqual(new Set(Object.keys(LOOPS)));
  expect(new Set(shots.map(({ recipe }) => recipe))).toEqual(new Set(Object.keys(SHOTS)));
  const tempi = LOOP_ROWS.map(({ bpm }) => bpm);
  expect([Math.min(...tempi), tempi.some((bpm) => bpm >= 180)]).toEqual([60, true]);
  expect(tempi.filter((bpm) => !Number.isInteger(bpm)).length).toBeGreaterThanOrEqual(15);
});

test("[Y10] a loop of the table is as long as its beats say, but for what its row adds or cuts", () => {
  for (const { lengthBeats, bpm, changes } of LOOP_ROWS) {
    expect(lengthBeats).toBeGreaterThanOrEqual(4);
    expect((lengthBeats * 60) / bpm).toBeLessThan(60);
    expect(Object.keys(changes)).toSatisfy((names: readonly string[]) =>
      names.every((name) => KNOWN_CHANGES.has(name)),
    );
  }
});

const KNOWN_CHANGES = new Set("swing loose fill noise tail lead pad cut".split(" "));
