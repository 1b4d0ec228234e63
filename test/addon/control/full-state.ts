import type { ImporterState } from "../../../addon/state/importer-state.ts";

export const READ_AT_MS = Date.parse("2026-11-21T14:00:00.000Z");

/** A state in which every part has a value. */
export const FULL_STATE: ImporterState = {
  connection: {
    relayUrl: "https://relay.example",
    suggestedRelayUrl: "",
    fixedBecause: null,
    status: "connected",
    trouble: null,
    newBecause: null,
    movedFrom: null,
  },
  deviceName: "Studio",
  pairing: {
    code: { code: "K7MQ2X", expires_at: "2026-11-21T14:10:00.000Z", expires_in: 600 },
    readAtMs: READ_AT_MS,
    usedBy: null,
  },
  apps: [
    {
      pairing_id: "pair_1",
      app_name: "Looper",
      paired_at: "2026-11-21T12:00:00.000Z",
      last_seen_at: "2026-11-21T13:00:00.000Z",
      waiting_packages: 0,
    },
  ],
  newPairingIds: new Set(["pair_1"]),
  packages: [
    {
      package_id: "pkg_1",
      status: "partial",
      app_name: "Looper",
      manifest: {
        schema: "app2host/1",
        package_id: "pkg_1",
        title: "Kit",
        source: { app: "Looper" },
        items: [
          {
            file: "1.wav",
            bytes: 1000,
            sha256: "5f".repeat(32),
            id: "1",
            name: "Kick",
            kind: "oneshot",
          },
        ],
      },
      files: { "1.wav": "/importer/packages/pkg_1/files/1.wav" },
      taken: true,
      created_at: "2026-11-21T12:00:00.000Z",
      committed_at: "2026-11-21T12:00:01.000Z",
      expires_at: "2026-11-21T14:01:40.000Z",
      expires_in: 100,
      results: { "1": { status: "failed", error: "Live couldn't make the track." } },
    },
  ],
  packagesReadAtMs: READ_AT_MS,
  colorTurns: new Map([["pkg_1", 1]]),
  saved: [],
  local: [
    {
      folder: "/home/ana/Music/Soundferry/Inbox/folder",
      package_id: `local_${"a".repeat(32)}`,
      manifest: {
        schema: "app2host/1",
        package_id: `local_${"a".repeat(32)}`,
        title: "Folder",
        source: { app: "Finder" },
        items: [{ file: "bass.wav", id: "1", name: "Bass", kind: "loop", role: "bass" }],
      },
      imported: false,
    },
    {
      folder: "/home/ana/Music/Soundferry/Inbox/Broken Kit",
      error: "manifest.json can't be read.",
    },
  ],
  unread: new Set(),
  live: null,
  runs: [{ packageId: "pkg_run", title: "Running", isOfAll: true, progress: null, sounds: {} }],
  finished: [
    {
      packageId: "pkg_2",
      title: "Kit",
      at: "2026-11-21T13:59:00.000Z",
      result: {
        outcome: {
          package_id: "pkg_2",
          status: "imported",
          scene: { name: "Kit (Looper)" },
          folder: "/home/ana/Music/Soundferry/Kit",
          tracks: [
            {
              id: "1",
              status: "imported",
              track: "Kick (Looper)",
              clip: "Kick",
              file: "Kick.wav",
              path: "Kit/Kick.wav",
              kind: "oneshot",
              warping: false,
              warp_mode: null,
              looping: false,
              loop_beats: null,
              tempo_bpm: null,
              color_index: 2,
              gain_db: 0,
              notes: [],
              differences: [],
              error: null,
            },
          ],
        },
      },
    },
    {
      packageId: "pkg_3",
      title: "Kit",
      at: "2026-11-21T13:58:00.000Z",
      result: {
        error:
          "Soundferry may not write to /home/ana/Music/Soundferry/Kit. Choose another folder in the settings.",
        code: null,
      },
    },
  ],
  host: {
    name: "preview",
    label: "Preview",
    trouble: null,
    instead: null,
    room: null,
    tempoBpm: 120,
    settings: [],
    can: { reusesTracks: false },
  },
  dismissed: new Set(),
  canReveal: null,
  soundsFolder: {
    path: "~/Music/Soundferry",
    isInLibrary: false,
    because: null,
    fixedBecause: null,
  },
  keptFiles: { bytes: 300, clearableBytes: 100 },
  pretends: null,
  lan: {
    isOn: true,
    keepsOn: false,
    addresses: ["http://192.168.1.20:4700"],
    nameAddress: null,
    hasVisitor: true,
    trouble: null,
    fixedBecause: null,
  },
  diskTrouble: "EACCES: permission denied, scandir '/home/ana/Music/Soundferry/Inbox'",
};
