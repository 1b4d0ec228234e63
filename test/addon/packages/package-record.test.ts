import { describe, expect, test } from "vitest";
import { isNewTo, resultsToShow } from "../../../addon/packages/package-record.ts";
import { SAVED_AS_FILES, type SoundResult } from "../../../core/protocol/package-status.ts";

const PLACED: SoundResult = { status: "imported", track: "Kick (Looper)" };
const SAVED: SoundResult = { status: "imported", notes: [SAVED_AS_FILES] };
const FAILED: SoundResult = { status: "failed", error: "No." };

const at = (results: Record<string, SoundResult>) => new Map(Object.entries(results));

function recordOf(byHost: Record<string, Record<string, SoundResult>>) {
  const results = new Map(Object.entries(byHost).map(([host, each]) => [host, at(each)]));
  return { importedInto: new Set(results.keys()), results };
}

test.each([
  { importedInto: [], newTo: ["live", "preview", "folder"] },
  { importedInto: ["preview"], newTo: ["live"] },
  { importedInto: ["live"], newTo: ["preview"] },
  { importedInto: ["folder"], newTo: [] },
  { importedInto: ["live", "folder"], newTo: [] },
])("[R16][R7] a package that is in $importedInto is new to $newTo", ({ importedInto, newTo }) => {
  const record = { importedInto: new Set(importedInto), results: new Map() };
  const hosts = ["live", "preview", "folder"];
  expect(hosts.filter((host) => isNewTo(record, host))).toEqual(newTo);
});

describe("[R16] the results to show", () => {
  const record = recordOf({
    live: { 1: PLACED, 2: FAILED },
    folder: { 1: SAVED, 2: SAVED, 3: SAVED },
  });

  test("at a host are its own, and those of what was only saved", () => {
    expect(resultsToShow(record, "live")).toEqual(at({ 1: PLACED, 2: FAILED, 3: SAVED }));
    expect(resultsToShow(record, "preview")).toEqual(at({ 1: SAVED, 2: SAVED, 3: SAVED }));
  });

  test("at the folder say what is in a session", () => {
    expect(resultsToShow(record, "folder")).toEqual(at({ 1: PLACED, 2: SAVED, 3: SAVED }));
  });

  test("are none before the first run", () => {
    for (const host of ["live", "folder"]) {
      expect(resultsToShow(recordOf({}), host)).toBeUndefined();
    }
    expect(resultsToShow(recordOf({ preview: { 1: PLACED } }), "live")).toBeUndefined();
  });
});
