import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_RESULTS_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import {
  fitResults,
  parseResults,
  RESULTS_SHORTENED,
} from "../../../core/protocol/parse-results.ts";
import type { SoundResult, SoundResults } from "../../../core/protocol/package-status.ts";

const IDS = Array.from({ length: MAX_SOUNDS }, (_, index) => `${index}`);

function bytesOf(results: SoundResults): number {
  return Buffer.byteLength(JSON.stringify(results));
}

function sameForAll(result: SoundResult, ids: readonly string[] = IDS): SoundResults {
  return parseResults({ results: Object.fromEntries(ids.map((id) => [id, result])) }, ids);
}

/** Text that is costly in JSON: control characters take six bytes each, others two to four. */
const TEXT = fc.string({
  unit: fc.constantFrom("a", "\u0001", "é", "漢", "🎹", '"', "\ud800"),
  maxLength: 500,
});
const RESULT = fc.record(
  {
    status: fc.constantFrom("imported" as const, "skipped" as const, "failed" as const),
    track: TEXT,
    file: TEXT,
    notes: fc.array(TEXT, { maxLength: 30 }),
    differences: fc.array(fc.record({ setting: TEXT, asked: TEXT, got: fc.integer() }), {
      maxLength: 20,
    }),
    error: TEXT,
  },
  { requiredKeys: ["status"] },
);

describe("results that are too long to store", () => {
  test("[S7] what fits stays as it is", () => {
    const results = sameForAll({ status: "imported", notes: ["A note."], track: "Kick" });
    expect(fitResults(results)).toBe(results);
  });

  test("[S7] longer notes are cut, a note says so, and every sound keeps its status, track and file", () => {
    const own = { status: "imported", track: "Kick (Looper)", file: "Kit/Kick.wav" } as const;
    const notes = Array.from({ length: 60 }, (_, index) => `${index}: ${"long ".repeat(90)}`);
    const differences = [{ setting: "gain_db", asked: 3, got: null }];
    const fitted = fitResults(sameForAll({ ...own, notes, differences }));
    expect(Object.keys(fitted)).toEqual(IDS);
    for (const result of Object.values(fitted)) {
      expect(result).toMatchObject({ ...own, differences });
      expect(result.notes?.[0]).toMatch(/^0: long .*…$/);
      expect(result.notes?.at(-1)).toBe(RESULTS_SHORTENED);
    }
    expect(bytesOf(fitted)).toBeLessThanOrEqual(MAX_RESULTS_BYTES);
    expect(bytesOf(fitted)).toBeGreaterThan(MAX_RESULTS_BYTES * 0.9);
  });

  test("[S7] a sound that lost nothing says nothing of it", () => {
    const short = { status: "imported", notes: ["A note."] } as const;
    const long = Array.from({ length: 100 }, () => "漢".repeat(500));
    const results = parseResults({ results: { 1: short, 2: { ...short, notes: long } } }, [
      "1",
      "2",
    ]);
    const fitted = fitResults(results);
    expect(fitted["1"]).toEqual(short);
    expect(fitted["2"]?.notes?.at(-1)).toBe(RESULTS_SHORTENED);
  });

  test("[S7] differences come before notes", () => {
    const long = "long ".repeat(90);
    const differences = Array.from({ length: 2 }, () => ({ setting: long, asked: 1, got: 2 }));
    const notes = Array.from({ length: 90 }, () => long);
    const fitted = fitResults(sameForAll({ status: "failed", notes, differences, error: "Why." }));
    for (const result of Object.values(fitted)) {
      expect([result.differences?.length, result.error]).toEqual([2, "Why."]);
    }
  });

  test("[S7] any report fits: 32 sounds with the longest ids and texts that JSON escapes", () => {
    const ids = IDS.map((id) => `${id}${"\u0001".repeat(98)}`);
    const worst = "\u0001".repeat(500);
    const fitted = fitResults(
      sameForAll(
        { status: "imported", track: worst, file: worst, error: worst, notes: [worst] },
        ids,
      ),
    );
    expect(bytesOf(fitted)).toBeLessThanOrEqual(MAX_RESULTS_BYTES);
    for (const { track, file, error } of Object.values(fitted)) {
      expect([track, file, error].every((text) => text?.endsWith("…"))).toBe(true);
    }
  });

  test("[S7] shortened in the same way each time, and what is shortened stays as it is", () => {
    fc.assert(
      fc.property(fc.array(RESULT, { minLength: 1, maxLength: MAX_SOUNDS }), (list) => {
        const ids = list.map((_, index) => `sound ${index}`);
        const report = { results: Object.fromEntries(list.map((one, at) => [ids[at], one])) };
        const fitted = fitResults(parseResults(report, ids));
        expect(bytesOf(fitted)).toBeLessThanOrEqual(MAX_RESULTS_BYTES);
        expect(Object.keys(fitted)).toEqual(ids);
        expect(JSON.stringify(fitResults(parseResults(report, ids)))).toBe(JSON.stringify(fitted));
        expect(fitResults(fitted)).toBe(fitted);
        expect(ids.map((id) => fitted[id]?.status)).toEqual(list.map(({ status }) => status));
      }),
      { numRuns: 40 },
    );
  });
});
