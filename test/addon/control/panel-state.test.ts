import { expect, test } from "vitest";
import { panelStateOf } from "../../../addon/control/panel-state.ts";
import { FULL_STATE, READ_AT_MS } from "./full-state.ts";

const SHOWN = panelStateOf(FULL_STATE, READ_AT_MS + 10_400);

test("[N3] shows every part of the importer's state", () => {
  expect(SHOWN).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    host: { name: "preview", label: "Preview", trouble: null, tempoBpm: 120, settings: [] },
    connection: { relayUrl: "https://relay.example", status: "connected", mustPairAgain: false },
    deviceName: "Studio",
    runs: [{ packageId: "pkg_run", title: "Running", progress: null }],
    keptFiles: { bytes: 300, clearableBytes: 100 },
  });
  expect(SHOWN.apps).toEqual([
    {
      pairingId: "pair_1",
      name: "Looper",
      pairedAt: "2026-11-21T12:00:00.000Z",
      lastSeenAt: "2026-11-21T13:00:00.000Z",
      isNew: true,
    },
  ]);
});

test("[N3] packages of the relay come before those of the inbox, each with its sounds", () => {
  expect(SHOWN.packages).toEqual([
    {
      packageId: "pkg_1",
      title: "Kit",
      appName: "Looper",
      origin: "relay",
      status: "partial",
      expiresInSeconds: 89,
      isTaken: true,
      sounds: [{ id: "1", name: "Kick", kind: "oneshot", role: null, bytes: 1000 }],
      results: { "1": { status: "failed", error: "Live couldn't make the track." } },
    },
    {
      packageId: `local_${"a".repeat(32)}`,
      title: "Folder",
      appName: "Finder",
      origin: "inbox",
      status: "waiting",
      expiresInSeconds: null,
      isTaken: false,
      sounds: [{ id: "1", name: "Bass", kind: "loop", role: "bass", bytes: null }],
      results: null,
    },
    {
      packageId: "inbox/Broken Kit",
      title: "Broken Kit",
      error: "manifest.json can't be read.",
    },
  ]);
});

test("spans are counted down", () => {
  expect(SHOWN.pairing).toEqual({ code: "K7MQ2X", expiresInSeconds: 589, usedBy: null });
  const late = panelStateOf(FULL_STATE, READ_AT_MS + 600_000);
  expect(late.pairing).toEqual({ code: null, expiresInSeconds: null, usedBy: null });
  expect(late.packages[0]).toMatchObject({ expiresInSeconds: 0 });
  const used = { ...FULL_STATE, pairing: { code: null, readAtMs: 0, usedBy: "Looper" } };
  expect(panelStateOf(used, READ_AT_MS).pairing).toEqual({
    code: null,
    expiresInSeconds: null,
    usedBy: "Looper",
  });
});

test("[R7] names a run's host unless it is the importer's own", () => {
  const run = { packageId: "pkg_2", title: "Kit", otherHost: "dawproject" };
  const over = { ...run, at: "", result: { error: "The disk is full.", code: null } };
  const state = { ...FULL_STATE, runs: [{ ...run, progress: null }], finished: [over] };
  const { runs, finished } = panelStateOf(state, READ_AT_MS);
  expect([...runs, ...finished]).toMatchObject([run, run]);
  expect(SHOWN.finished[0]).not.toHaveProperty("otherHost");
});

test("[N3] every name that the page gets is camelCase, also in an import's outcome", () => {
  const names = new Set<string>();
  JSON.stringify(SHOWN, (name, value: unknown) => {
    // Positions in a list, and the sounds' ids.
    if (!/^\d*$/.test(name)) names.add(name);
    return value;
  });
  expect(names).toContain("packageId");
  expect(names).toContain("differences");
  expect([...names].filter((name) => !/^[a-z][a-zA-Z]*$/.test(name))).toEqual([]);
});

test("[N2] includes only the last part of paths, and no token", () => {
  const [imported, refused] = SHOWN.finished;
  expect(imported?.result).toMatchObject({ outcome: { folder: "Kit", status: "imported" } });
  expect(refused?.result).toEqual({
    error: "Soundferry may not write to Kit. Choose another folder in the settings.",
    code: null,
  });
  expect(SHOWN.diskTrouble).toBe("EACCES: permission denied, scandir 'Inbox'");
  const reported = JSON.stringify(SHOWN);
  expect(reported).not.toMatch(/sf[ai]_/);
  expect(reported).not.toMatch(/\/home|\/importer\/|[\\/]Music/);
  expect(reported).not.toContain(FULL_STATE.packages[0]?.manifest.items[0]?.sha256);
});
