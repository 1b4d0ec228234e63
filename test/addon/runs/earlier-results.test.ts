import { describe, expect, test } from "vitest";
import {
  earlierReportStands,
  resultsAnywhere,
  resultsAt,
} from "../../../addon/runs/earlier-results.ts";
import type { SoundResult } from "../../../core/protocol/package-status.ts";

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
