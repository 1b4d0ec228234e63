import { describe, expect, test } from "vitest";
import type { ImportedTrack } from "../../../core/protocol/import-outcome.ts";
import { SAVED_AS_FILES, type SoundResult } from "../../../core/protocol/package-status.ts";
import { mergeEarlier, mergeResults } from "../../../core/report/merge-earlier.ts";
import { ONE_SHOT } from "../layout/sample-package.ts";

const PLACED = { status: "imported", track: "Kick (Looper)" } as const;
const SAVED: SoundResult = { status: "imported", notes: [SAVED_AS_FILES] };
const FAILED = { status: "failed", error: "No." } as const;

const at = (results: Readonly<Record<string, SoundResult>>) => new Map(Object.entries(results));

describe("[R11] a run's outcome", () => {
  const planned: ImportedTrack = {
    id: "1",
    ...ONE_SHOT,
    clip: "Kick",
    status: "skipped",
    track: "1 Kick",
    file: "Kick.wav",
    path: "Kit/Kick.wav",
    notes: ["Planned."],
    differences: [],
    error: "Not selected.",
    color_index: null,
    gain_db: null,
  };
  const outcome = {
    package_id: "pkg_a",
    status: "failed" as const,
    scene: { name: "Kit" },
    folder: null,
    tracks: [planned, { ...planned, id: "2", status: "imported" as const }],
  };
  const merge = (earlier: Readonly<Record<string, SoundResult>>) =>
    mergeEarlier(outcome, {
      isChosen: (id) => id === "2",
      earlier: at(earlier),
    });

  test("has the earlier result of a sound that it left alone, with what that said", () => {
    const difference = { setting: "gain_db", asked: 1, got: 0 };
    const said = {
      file: "Old.wav",
      path: "Kit/Old.wav",
      notes: ["Old."],
      differences: [difference],
    };
    const { tracks, status } = merge({ 1: { ...PLACED, ...said }, 2: FAILED });
    expect(status).toBe("imported");
    expect(tracks).toEqual([
      { ...planned, ...PLACED, ...said, error: null, earlier: true },
      outcome.tracks[1],
    ]);
  });

  test("fills in what the earlier result doesn't say", () => {
    const { tracks, status } = merge({ 1: { status: "failed", error: "No." } });
    expect(status).toBe("partial");
    expect(tracks[0]).toEqual({
      ...planned,
      status: "failed",
      track: "1 Kick",
      file: null,
      path: null,
      notes: [],
      differences: [],
      error: "No.",
      earlier: true,
    });
  });

  test("is its own where nothing was known of the sound", () => {
    expect(merge({}).tracks).toEqual(outcome.tracks);
  });
});

test("[R16][R11] of several results, one in a session counts before a saved one, and the later of equal ones", () => {
  const later: SoundResult = { ...PLACED, track: "Kick 2 (Looper)" };
  const merged = (...results: readonly SoundResult[]) =>
    mergeResults(results.map((result) => at({ 1: result }))).get("1");
  expect(merged(PLACED, SAVED)).toBe(PLACED);
  expect(merged(SAVED, PLACED)).toBe(PLACED);
  expect(merged(SAVED, FAILED)).toBe(SAVED);
  expect(merged(FAILED, SAVED)).toBe(SAVED);
  expect(merged(PLACED, later, FAILED)).toBe(later);
  expect(merged()).toBeUndefined();
});
