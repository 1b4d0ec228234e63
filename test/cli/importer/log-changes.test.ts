import { expect, test } from "vitest";
import type { FinishedRun, ImporterState } from "../../../addon/state/importer-state.ts";
import { newStore } from "../../addon/runs/new-store.ts";
import { linesOfChange, logChanges } from "../../../cli/commands/importer/log-changes.ts";
import { SAVED } from "./saved-outcome.ts";

const NEW = newStore().state;
const QUIET: ImporterState = {
  ...NEW,
  connection: { ...NEW.connection, relayUrl: "http://relay", status: "connected" },
  unread: new Set(),
};

test("prints nothing for unchanged state", () => {
  const troubled: ImporterState = {
    ...QUIET,
    connection: {
      ...QUIET.connection,
      status: "offline",
      trouble: "No relay.",
      newBecause: "forgotten",
    },
    pairing: { code: null, readAtMs: 0, usedBy: { name: "Looper", pairingId: "pair_1" } },
    local: [{ folder: "/inbox/odd", error: "It has no manifest." }],
    diskTrouble: "The disk is full.",
  };
  expect(linesOfChange(QUIET, troubled)).toEqual([
    "No relay.",
    "The relay no longer knows this computer. Pair your apps again.",
    "Paired with Looper.",
    "In the inbox: /inbox/odd: It has no manifest.",
    "The disk is full.",
  ]);
  expect(linesOfChange(troubled, { ...troubled })).toEqual([]);
  const back = { ...troubled, connection: { ...QUIET.connection } };
  expect(linesOfChange(troubled, back)).toEqual(["Reconnected to http://relay."]);
});

test("[R9] says where imports go from now on, and what to do while nothing answers", () => {
  const live = { ...QUIET.host, name: "live", label: "Live 12.1.5" };
  const there: ImporterState = { ...QUIET, host: live };
  const away: ImporterState = { ...there, host: { ...live, trouble: "Open Live." } };
  expect(linesOfChange(QUIET, there)).toEqual(["Imports now go into Live 12.1.5."]);
  const told = { ...live, label: "Live 12.1.5 Standard" };
  expect(linesOfChange(there, { ...there, host: told })).toEqual([]);
  expect(linesOfChange(there, away)).toEqual(["Open Live."]);
  expect(linesOfChange(away, { ...away })).toEqual([]);
  expect(linesOfChange(away, there)).toEqual(["Imports now go into Live 12.1.5."]);
  const lines: string[] = [];
  const importer = { state: away, subscribe: () => () => undefined };
  logChanges(importer, { say: (line) => lines.push(line), give: () => undefined });
  expect(lines).toEqual(["Open Live."]);
});

test("[R16] says while imports are saved, why, and where each package is", () => {
  const folder = { ...QUIET.host, name: "folder", label: "Sounds folder", instead: "Open Live." };
  const saving: ImporterState = { ...QUIET, host: folder };
  const line = "Open Live. Until then, imports are saved in the sounds folder.";
  expect(linesOfChange(QUIET, saving)).toEqual([line]);
  expect(linesOfChange(saving, { ...saving })).toEqual([]);
  const other = { ...saving, host: { ...folder, instead: "Update Live." } };
  expect(linesOfChange(saving, other)[0]).toMatch(/^Update Live\. Until then/);
  const chosen = { ...saving, host: { ...folder, instead: null } };
  expect(linesOfChange(QUIET, chosen)).toEqual([]);
  const live = { ...QUIET, host: { ...QUIET.host, name: "live", label: "Live 12.1.5" } };
  expect(linesOfChange(saving, live)).toEqual(["Imports now go into Live 12.1.5."]);
  const lines: string[] = [];
  const importer = { state: saving, subscribe: () => () => undefined };
  logChanges(importer, { say: (text) => lines.push(text), give: () => undefined });
  expect(lines).toEqual([line]);

  const run = { packageId: "pkg_1", title: "Kit", at: "", result: { outcome: SAVED } };
  expect(linesOfChange(QUIET, { ...QUIET, finished: [run] })).toEqual([
    "Saved. Kit (Looper): 1 of 1 sound. Files: /sounds/Kit",
  ]);
});

test("[N4] names another relay, and does not call the first connection to it a reconnection", () => {
  const going: ImporterState = {
    ...QUIET,
    connection: { ...QUIET.connection, relayUrl: "https://other", status: "connecting" },
  };
  expect(linesOfChange(QUIET, going)).toEqual(["The relay is now https://other."]);
  const there: ImporterState = {
    ...going,
    connection: { ...going.connection, status: "connected" },
  };
  expect(linesOfChange(going, there)).toEqual([]);
});

test("does not repeat what an earlier process imported", () => {
  const state = {
    ...QUIET,
    finished: [
      { ...failed("New", "The disk is full."), at: new Date().toISOString() },
      { ...failed("Old", "It was cancelled."), at: "2020-01-01T00:00:00.000Z" },
    ],
  };
  const lines: string[] = [];
  const importer = { state, subscribe: () => () => {} };
  const output = { say: (line: string) => lines.push(line), give: () => {} };
  using _telling = logChanges(importer, output);
  expect(lines).toEqual(["New was not imported: The disk is full."]);
});

function failed(title: string, error: string): FinishedRun {
  return { packageId: `pkg_${title}`, title, at: "", result: { error, code: null } };
}

test("prints why an import failed", () => {
  const now: ImporterState = {
    ...QUIET,
    finished: [failed("Second", "It was cancelled."), failed("First", "The disk is full.")],
  };
  expect(linesOfChange(QUIET, now)).toEqual([
    "First was not imported: The disk is full.",
    "Second was not imported: It was cancelled.",
  ]);
});

test("[R7] names the host of an import into another host", () => {
  const scene = { name: "Kit (Looper)" };
  const outcome = {
    package_id: "pkg_1",
    status: "imported",
    scene,
    folder: null,
    tracks: [],
  } as const;
  const run = { packageId: "pkg_1", title: "Kit", at: "", result: { outcome } };
  const now: ImporterState = { ...QUIET, finished: [{ ...run, otherHost: "dawproject" }, run] };
  expect(linesOfChange(QUIET, now)).toEqual([
    "Kit (Looper): 0 of 0 sounds imported.",
    "Kit (Looper): 0 of 0 sounds imported into a DAWproject.",
  ]);
});

test("[R1] names a run whose connection was lost, once", () => {
  const progress = { phase: "retrying", secondsLeft: 300, doneBytes: 1, totalBytes: 9 } as const;
  const lost = { ...QUIET, runs: [{ packageId: "pkg_1", title: "Kit", progress, sounds: {} }] };
  expect(linesOfChange(QUIET, lost)).toEqual(["Kit: the connection was lost. Trying again…"]);
  expect(linesOfChange(lost, { ...lost })).toEqual([]);
});
