import { describe, expect, test } from "vitest";
import { dismissedResults } from "../../../core/protocol/package-status.ts";
import { panelStateOf } from "../../../addon/control/panel-state.ts";
import { FULL_STATE, READ_AT_MS } from "./full-state.ts";

const SHOWN = panelStateOf(FULL_STATE, READ_AT_MS + 10_400);

test("[N3] shows every part of the importer's state", () => {
  expect(SHOWN).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    host: { name: "preview", label: "Preview", trouble: null, tempoBpm: 120, settings: [] },
    connection: { relayUrl: "https://relay.example", status: "connected", newBecause: null },
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
      waitingPackages: 0,
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
      isSaved: false,
      status: "partial",
      expiresInSeconds: 89,
      isTaken: true,
      sounds: [{ id: "1", name: "Kick", kind: "oneshot", role: null, bytes: 1000 }],
      results: { "1": { status: "failed", error: "Live couldn't make the track." } },
      isDismissed: false,
      canUndoDismiss: false,
      color: "#1AFF2F",
    },
    {
      packageId: `local_${"a".repeat(32)}`,
      title: "Folder",
      appName: "Finder",
      origin: "inbox",
      isSaved: false,
      status: "waiting",
      expiresInSeconds: null,
      isTaken: false,
      sounds: [{ id: "1", name: "Bass", kind: "loop", role: "bass", bytes: null }],
      results: null,
      isDismissed: false,
      canUndoDismiss: false,
      color: null,
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
  const usedBy = { name: "Looper", pairingId: "pair_1" };
  const used = { ...FULL_STATE, pairing: { code: null, readAtMs: 0, usedBy } };
  expect(panelStateOf(used, READ_AT_MS).pairing).toEqual({
    code: null,
    expiresInSeconds: null,
    usedBy,
  });
});

test("[R7] names a run's host unless it is the importer's own", () => {
  const run = { packageId: "pkg_2", title: "Kit", otherHost: "dawproject" };
  const over = { ...run, at: "", result: { error: "The disk is full.", code: null } };
  const state = { ...FULL_STATE, runs: [{ ...run, progress: null, sounds: {} }], finished: [over] };
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
  const reported = JSON.stringify({ ...SHOWN, soundsFolder: null });
  expect(reported).not.toMatch(/sf[ai]_/);
  expect(reported).not.toMatch(/\/home|\/importer\/|[\\/]Music/);
  expect(reported).not.toContain(FULL_STATE.packages[0]?.manifest.items[0]?.sha256);
});

describe("a dismissed package", () => {
  const [relays, inboxes] = [FULL_STATE.packages, FULL_STATE.local];
  const dismissed = new Set(["pkg_1", `local_${"a".repeat(32)}`]);

  test("[R12] stays in the list, with what a person can do about it", () => {
    const state = { ...FULL_STATE, dismissed };
    expect(panelStateOf(state, READ_AT_MS).packages).toMatchObject([
      { status: "partial", isDismissed: true, canUndoDismiss: true },
      { status: "waiting", isDismissed: true, canUndoDismiss: true },
      { error: expect.any(String) },
    ]);
    // Its files are deleted by then.
    expect(panelStateOf(state, READ_AT_MS + 100_000).packages).toMatchObject([
      { isDismissed: true, canUndoDismiss: false },
      { canUndoDismiss: true },
      {},
    ]);
    expect(inboxes).toHaveLength(2);
  });

  test("[R12] waits, whatever its app has read, and has no results", () => {
    const results = dismissedResults(["1"]);
    const packages = relays.map((one) => Object.assign({}, one, { status: "failed", results }));
    for (const ids of [dismissed, new Set<string>()]) {
      const state = { ...FULL_STATE, packages, dismissed: ids };
      expect(panelStateOf(state, READ_AT_MS).packages[0]).toMatchObject({
        status: "waiting",
        results: null,
        isDismissed: ids.size > 0,
      });
    }
  });
});

test("[R11] an inbox package shows which of its sounds are in the host", () => {
  const [first] = FULL_STATE.local;
  if (first === undefined || "error" in first) throw new Error("It has a package.");
  const shown = (more: object) =>
    panelStateOf({ ...FULL_STATE, packages: [], local: [{ ...first, ...more }] }, 0).packages[0];
  const imported = { status: "imported", track: "Bass (Finder)" } as const;
  expect(shown({ imported: true })).toMatchObject({ status: "imported", results: null });
  expect(shown({ imported: true, results: { "1": imported } })).toMatchObject({
    status: "imported",
    results: { "1": imported },
  });
  const items = [...first.manifest.items, { file: "2.wav", id: "2", name: "Hat", kind: "oneshot" }];
  const manifest = { ...first.manifest, items };
  expect(shown({ imported: true, results: { "1": imported }, manifest })).toMatchObject({
    status: "partial",
  });
  expect(shown({ results: { "1": { status: "failed" } } })).toMatchObject({
    status: "waiting",
    results: null,
  });
});

test("[R13] a finished run names the chosen sounds", () => {
  const over = { packageId: "pkg_1", title: "Kit", soundIds: ["1"], at: "" };
  const state = { ...FULL_STATE, finished: [{ ...over, result: { error: "No.", code: null } }] };
  expect(panelStateOf(state, READ_AT_MS).finished).toMatchObject([over]);
});
