import { describe, expect, test } from "vitest";
import {
  earlierReportStands,
  mergeEarlier,
  resultsAnywhere,
  resultsAt,
} from "../../../addon/runs/earlier-results.ts";
import type { ImportedTrack } from "../../../core/protocol/import-outcome.ts";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import { ONE_SHOT } from "../../core/layout/sample-package.ts";

const IN = { status: "imported", track: "Kick (Looper)" } as const;
const NOT = { status: "failed", error: "No." } as const;
const LEFT = { status: "skipped" } as const;
const HOST = { name: "live", can: { resumes: false } };
const FILE = { name: "file", can: { ...HOST.can, replacesEarlier: true } };

type Results = Readonly<Record<string, SoundResult>>;

/** A record of runs, by host. */
function recordOf(byHost: Readonly<Record<string, Results>>, ...importedInto: string[]) {
  const results = Object.entries(byHost).map(
    ([host, each]) => [host, new Map(Object.entries(each))] as const,
  );
  return { results: new Map(results), importedInto: new Set(importedInto) };
}

const listed = (results: ReadonlyMap<string, SoundResult>) => Object.fromEntries(results);

describe("[R11] results of earlier runs at one host", () => {
  test("are those of its journal, whatever the relay knows", () => {
    const record = recordOf({ live: { 1: IN, 2: NOT }, other: { 3: IN } }, "live");
    expect(listed(resultsAt(record, HOST, { 2: IN }))).toEqual({ 1: IN, 2: NOT });
  });

  test("are what the relay has as imported, where a damaged journal knows only that something was", () => {
    const reported = { 1: IN, 2: NOT, 3: LEFT };
    expect(listed(resultsAt(recordOf({}, "live"), HOST, reported))).toEqual({ 1: IN });
    expect(listed(resultsAt(recordOf({}, "other"), HOST, reported))).toEqual({});
    expect(listed(resultsAt(recordOf({}, "live"), HOST, undefined))).toEqual({});
  });

  test("don't stand at a host that keeps nothing of them", () => {
    expect(listed(resultsAt(recordOf({ file: { 1: IN } }, "file"), FILE, { 1: IN }))).toEqual({});
  });
});

describe("[R11] results of earlier runs at any host", () => {
  test("are imported where some host has the sound, and else the newest", () => {
    const older = { status: "failed", error: "Older." } as const;
    const record = recordOf({ a: { 1: IN, 2: older, 3: NOT }, b: { 1: NOT, 2: NOT, 3: IN } });
    expect(listed(resultsAnywhere(record, HOST, { 4: IN }))).toEqual({ 1: IN, 2: NOT, 3: IN });
  });

  test("are the newest import of two", () => {
    const newer = { ...IN, track: "Kick 2 (Looper)" };
    const record = recordOf({ a: { 1: IN }, b: { 1: newer } });
    expect(listed(resultsAnywhere(record, HOST, undefined))).toEqual({ 1: newer });
  });

  test("are the relay's imports where no journal has any", () => {
    expect(listed(resultsAnywhere(recordOf({}), HOST, { 1: IN, 2: LEFT }))).toEqual({ 1: IN });
    expect(listed(resultsAnywhere(recordOf({}), HOST, undefined))).toEqual({});
  });

  test("leave out those of a host that keeps nothing of them, but not another's", () => {
    const record = recordOf({ file: { 1: IN }, live: { 2: IN } });
    expect(listed(resultsAnywhere(record, FILE, undefined))).toEqual({ 2: IN });
    expect(listed(resultsAnywhere(record, HOST, undefined))).toEqual({ 1: IN, 2: IN });
  });
});

test.each([
  ["nothing was imported", [], { 1: IN }, ["1"], false],
  ["what was imported is known no longer", ["live"], {}, ["1"], true],
  ["nobody chose", ["live"], { 1: NOT }, undefined, true],
  ["a chosen sound was imported", ["live"], { 1: NOT, 2: IN }, ["1", "2"], true],
  ["other sounds were imported", ["live"], { 1: NOT, 2: IN }, ["1", "3"], false],
])("[R7] an earlier report stands, or not, where %s", (_, hosts, earlier, soundIds, stands) => {
  const run = { earlier: new Map<string, SoundResult>(Object.entries(earlier)), soundIds };
  expect(earlierReportStands(recordOf({}, ...hosts), run)).toBe(stands);
});

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
  const merge = (earlier: Results) =>
    mergeEarlier(outcome, {
      isChosen: (id) => id === "2",
      earlier: new Map(Object.entries(earlier)),
    });

  test("has the earlier result of a sound that it left alone, with what that said", () => {
    const difference = { setting: "gain_db", asked: 1, got: 0 };
    const said = {
      file: "Old.wav",
      path: "Kit/Old.wav",
      notes: ["Old."],
      differences: [difference],
    };
    const { tracks, status } = merge({ 1: { ...IN, ...said }, 2: NOT });
    expect(status).toBe("imported");
    expect(tracks).toEqual([
      { ...planned, ...IN, ...said, error: null, earlier: true },
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
