import { expect, test } from "vitest";
import { groupPackages } from "../../addon/panel/packages/group-packages.ts";
import { resultRowsOf } from "../../addon/panel/packages/result-rows.ts";
import type { PanelFinishedRun, PanelState } from "../../core/protocol/panel-api.ts";
import { cannedOutcome, readCannedPackage } from "../../scripts/pictures/canned-package.ts";
import { PAIRED } from "../../scripts/pictures/canned-states.ts";

const kit = await readCannedPackage("one-shot-kit");
const { offered } = kit;
const { packageId, title } = offered;
const at = "2026-11-21T12:00:00.000Z";
const failure = { error: "The import was cancelled.", code: "CANCELLED" };
const done = { outcome: cannedOutcome(kit, { 2: { error: "Live would not make the clip." } }) };

function finished(result: PanelFinishedRun["result"]): PanelFinishedRun {
  return { packageId, title, at, result };
}

function grouped(change: Partial<PanelState>) {
  return groupPackages({ ...PAIRED, ...change });
}

test("a package waits, with the reason why its last run failed", () => {
  expect(grouped({ packages: [offered] })).toEqual({
    waiting: [{ offered, failure: null }],
    past: [],
  });
  expect(grouped({ packages: [offered], finished: [finished(failure)] })).toEqual({
    waiting: [{ offered, failure }],
    past: [],
  });
});

test("one that is imported can be imported again while it is there", () => {
  const imported = { ...offered, status: "partial" } as const;
  const runs = [finished(done), finished(failure)];
  const { waiting, past } = grouped({ packages: [imported], finished: runs });
  expect(waiting).toEqual([]);
  expect(past).toEqual([{ ...finished(done), offered: imported }]);
  expect(grouped({ finished: runs }).past).toEqual([{ ...finished(done), offered: null }]);
});

test("one that is being imported is in neither list", () => {
  const runs = [{ packageId, title, progress: null }];
  const state = { packages: [offered], runs, finished: [finished(failure)] };
  expect(grouped(state)).toEqual({ waiting: [], past: [] });
});

test("what only the relay remembers is told in its words; a sound that it does not name has failed", () => {
  const [first] = offered.sounds;
  const results = { [first?.id ?? ""]: { status: "imported", track: "Kick" } } as const;
  const imported = { ...offered, status: "partial", results } as const;
  const [past] = grouped({ packages: [imported] }).past;
  const rows = past === undefined ? [] : resultRowsOf(past);
  expect(rows).toHaveLength(offered.sounds.length);
  expect(rows[0]).toMatchObject({ name: "Kick Deep", status: "imported", track: "Kick" });
  expect(rows[1]).toMatchObject({
    status: "failed",
    error: expect.stringContaining("No result"),
  });
});

test("a run's outcome follows from its tracks", () => {
  const [past] = grouped({ finished: [finished(done)] }).past;
  const rows = past === undefined ? [] : resultRowsOf(past);
  expect(rows[2]).toMatchObject({ status: "failed", error: "Live would not make the clip." });
  expect(rows.filter(({ status }) => status === "imported")).toHaveLength(9);
});

test("[R7] an import into another host is told for itself, beside the last one into the importer's own", () => {
  const elsewhere = { ...finished(done), otherHost: "dawproject" };
  const waits = grouped({ packages: [offered], finished: [elsewhere, finished(failure)] });
  expect(waits).toEqual({
    waiting: [{ offered, failure }],
    past: [{ ...elsewhere, offered: null }],
  });
  const imported = { ...offered, status: "imported" } as const;
  const both = grouped({ packages: [imported], finished: [elsewhere, finished(done), elsewhere] });
  expect(both.past).toEqual([
    { ...elsewhere, offered: null },
    { ...finished(done), offered: imported },
  ]);
});

test("[R7] a package that went only elsewhere, and waits no more, is offered there", () => {
  const elsewhere = { ...finished(failure), otherHost: "dawproject" };
  const imported = { ...offered, status: "imported", results: {} } as const;
  const { waiting, past } = grouped({ packages: [imported], finished: [elsewhere] });
  expect(waiting).toEqual([]);
  expect(past).toEqual([{ ...elsewhere, offered: imported }]);
});
