import { expect, test } from "vitest";
import type { ImporterState } from "../../../addon/importer-state.ts";
import { linesOfChange } from "../../../cli/running/tell-changes.ts";

const QUIET: ImporterState = {
  connection: {
    relayUrl: "http://relay",
    status: "connected",
    trouble: null,
    mustPairAgain: false,
  },
  deviceName: "Studio",
  pairing: { code: null, usedBy: null },
  apps: [],
  packages: [],
  local: [],
  runs: [],
  finished: [],
  diskTrouble: null,
};

test("what did not change is not told again", () => {
  const troubled: ImporterState = {
    ...QUIET,
    connection: {
      ...QUIET.connection,
      status: "offline",
      trouble: "No relay.",
      mustPairAgain: true,
    },
    pairing: { code: null, usedBy: "Looper" },
    local: [{ folder: "/inbox/odd", error: "It has no manifest." }],
    diskTrouble: "The disk is full.",
  };
  expect(linesOfChange(QUIET, troubled)).toEqual([
    "No relay.",
    "The relay had forgotten this computer. Every app must be paired again.",
    "Paired with Looper.",
    "In the inbox: /inbox/odd: It has no manifest.",
    "The disk is full.",
  ]);
  expect(linesOfChange(troubled, { ...troubled })).toEqual([]);
  const back = { ...troubled, connection: { ...QUIET.connection } };
  expect(linesOfChange(troubled, back)).toEqual(["Connected with http://relay again."]);
});

test("an import that came to nothing is told with its reason", () => {
  const now: ImporterState = {
    ...QUIET,
    finished: [
      { packageId: "pkg_2", title: "Second", at: "", result: { error: "It was cancelled." } },
      { packageId: "pkg_1", title: "First", at: "", result: { error: "The disk is full." } },
    ],
  };
  expect(linesOfChange(QUIET, now)).toEqual([
    "First was not imported: The disk is full.",
    "Second was not imported: It was cancelled.",
  ]);
});
