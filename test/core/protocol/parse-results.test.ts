import * as fc from "fast-check";
import { MAX_RESULTS_BYTES, MAX_SOUNDS } from "../../../core/limits.ts";
import {
  type SoundResult,
  type SoundResults,
  statusOfResults,
} from "../../../core/protocol/package-status.ts";
import {
  fitResults,
  parseResults,
  RESULTS_SHORTENED,
} from "../../../core/protocol/parse-results.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { describe, expect, test } from "vitest";

const IDS = ["kick", "snare"];
const NOT_REPORTED = { status: "failed", error: "No result was reported for this sound." };
const FULL = {
  status: "imported",
  track: "Kick (App)",
  file: "Kick.wav",
  path: "Kit/Kick.wav",
  notes: ["One."],
  differences: [{ setting: "tempo_bpm", asked: 126, got: 63 }],
  error: "None.",
};

const parse = (kick: unknown) => parseResults({ results: { kick } }, IDS)["kick"];

function refusalOf(body: unknown): string {
  try {
    parseResults(body, IDS);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "none";
}

test("[S7] keeps exactly the known members of a result", () => {
  expect(parse({ ...FULL, folder: "/home/me" })).toEqual(FULL);
  expect(parse({ status: "skipped" })).toEqual({ status: "skipped" });
  const more = { setting: "a", asked: null, got: true, secret: 1 };
  expect(parse({ status: "failed", differences: [more] })).toEqual({
    status: "failed",
    differences: [{ setting: "a", asked: null, got: true }],
  });
});

test("[S3] a sound without a result is failed, and the order is the package's", () => {
  const results = parseResults({ results: { snare: { status: "imported" } } }, IDS);
  expect(Object.entries(results)).toEqual([
    ["kick", NOT_REPORTED],
    ["snare", { status: "imported" }],
  ]);
  expect(parseResults({ results: {} }, IDS)).toMatchObject({ snare: NOT_REPORTED });
});

test("[S7] any id is safe as a key", () => {
  const body = JSON.parse('{"results": {"__proto__": {"status": "imported"}}}');
  const results = parseResults(body, ["__proto__", "toString"]);
  expect(Object.getPrototypeOf(results)).toBeNull();
  expect(Object.keys(results)).toEqual(["__proto__", "toString"]);
  expect(results["__proto__"]).toEqual({ status: "imported" });
  expect(results["toString"]).toEqual(NOT_REPORTED);
});

test("[S3] refuses an unknown sound by its id", () => {
  const body = { results: { kick: { status: "imported" }, hat: { status: "imported" } } };
  expect(() => parseResults(body, IDS)).toThrow("The package has no sound hat.");
  expect(refusalOf(body)).toBe("SOUND_UNKNOWN");
});

test.each([
  ["no object", null],
  ["a list", []],
  ["no results", {}],
  ["results that are a list", { results: [] }],
  ["a result that is text", { results: { kick: "imported" } }],
  ["a result that is null", { results: { kick: null } }],
  ["a result without a status", { results: { kick: {} } }],
  ["an unknown status", { results: { kick: { status: "gone" } } }],
  ["a note that is a number", { results: { kick: { ...FULL, notes: [1] } } }],
  ["notes that are text", { results: { kick: { ...FULL, notes: "One." } } }],
  ["a difference of nothing", { results: { kick: { ...FULL, differences: [{}] } } }],
  ["a track that is a list", { results: { kick: { ...FULL, track: [] } } }],
])("[S3] refuses a report: %s", (_, body) => {
  expect(refusalOf(body)).toBe("RESULTS_WRONG");
});

describe("[S7] a long report is cut", () => {
  const long = "x".repeat(600);
  const cut = `${"x".repeat(499)}…`;

  test("each text to 500 units, including differences", () => {
    const differences = [{ setting: long, asked: long, got: 1 }];
    const sent = { status: "failed", track: long, file: long, error: long, notes: [long] };
    expect(parse({ ...sent, differences })).toEqual({
      status: "failed",
      track: cut,
      file: cut,
      error: cut,
      notes: [cut],
      differences: [{ setting: cut, asked: cut, got: 1 }],
    });
    expect(parse({ status: "failed", error: "x".repeat(500) })).toMatchObject({
      error: "x".repeat(500),
    });
  });

  test("to 100 notes and differences, without validating the rest", () => {
    const notes = [...Array.from({ length: 100 }, (_, index) => `${index}`), 7];
    const difference = { setting: "a", asked: 1, got: 2 };
    const differences = [...Array.from({ length: 100 }, () => difference), "none"];
    const kept = parse({ status: "imported", notes, differences });
    expect(kept?.notes).toEqual(notes.slice(0, 100));
    expect(kept?.differences).toHaveLength(100);
    expect(refusalOf({ results: { kick: { status: "imported", notes: [7, ...notes] } } })).toBe(
      "RESULTS_WRONG",
    );
  });
});

describe("[S3] a package", () => {
  const imported = { status: "imported" } as const;
  const failed = { status: "failed" } as const;

  test.each([
    ["imported when every sound is in the host", { kick: imported, snare: imported }, "imported"],
    ["partial when some are", { kick: failed, snare: imported }, "partial"],
    ["failed when none is", { kick: failed, snare: { status: "skipped" } as const }, "failed"],
    ["partial when the report leaves one out", { kick: imported }, "partial"],
    ["failed when it leaves out all", {}, "failed"],
  ])("is %s", (_, results, status) => {
    expect(statusOfResults(IDS, results)).toBe(status);
  });

  test("has no result for ids that every object inherits", () => {
    expect(statusOfResults(["toString"], {})).toBe("failed");
  });
});

const MANY_IDS = Array.from({ length: MAX_SOUNDS }, (_, index) => `${index}`);

function bytesOf(results: SoundResults): number {
  return Buffer.byteLength(JSON.stringify(results));
}

function sameForAll(result: SoundResult, ids: readonly string[] = MANY_IDS): SoundResults {
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
  test("[S7] results that fit stay unchanged", () => {
    const results = sameForAll({ status: "imported", notes: ["A note."], track: "Kick" });
    expect(fitResults(results)).toBe(results);
  });

  test("[S7] longer notes are cut, a note says so, and every sound keeps its status, track and file", () => {
    const own = { status: "imported", track: "Kick (Looper)", file: "Kit/Kick.wav" } as const;
    const notes = Array.from({ length: 60 }, (_, index) => `${index}: ${"long ".repeat(90)}`);
    const differences = [{ setting: "gain_db", asked: 3, got: null }];
    const fitted = fitResults(sameForAll({ ...own, notes, differences }));
    expect(Object.keys(fitted)).toEqual(MANY_IDS);
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
    const ids = MANY_IDS.map((id) => `${id}${"\u0001".repeat(98)}`);
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

  test("[S7] results are shortened in the same way each time, and shortened ones stay unchanged", () => {
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
