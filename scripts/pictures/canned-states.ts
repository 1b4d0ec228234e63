import { CORRECT_TEMPO } from "../../addon/hosts/host-settings.ts";
import type { PanelState, PanelUsablePackage } from "../../core/protocol/panel-api.ts";
import { VERSION } from "../../core/version.ts";
import { lanScenes } from "./canned-lan.ts";
import { LIVE_READY, LIVE_UNSET } from "./canned-live.ts";
import { CANNED_REQUEST, cannedApp } from "./canned-app.ts";
import { finished, importing, importScenes, partial } from "./canned-imports.ts";
import { type CannedPackage, type CannedScene, readCannedPackage } from "./canned-package.ts";
import { importingMany, withMany } from "./canned-many.ts";

const { id, kind, label, help, default: value } = CORRECT_TEMPO;
/** Live's setting with its default. */
const CANNED_SETTING = { id, kind, label, help, value };

/** A connected computer that has a code, but no app and no package yet. */
export const FRESH: PanelState = {
  version: VERSION,
  host: {
    name: "live",
    label: "Live",
    trouble: null,
    instead: null,
    room: null,
    tempoBpm: 120,
    settings: [CANNED_SETTING],
    can: { reusesTracks: false },
  },
  connection: {
    relayUrl: "https://relay.example.com",
    suggestedRelayUrl: "https://relay.example.com",
    fixedBecause: null,
    status: "connected",
    trouble: null,
    newBecause: null,
    movedFrom: null,
  },
  deviceName: "Studio Mac",
  pairing: { code: "K7MQ2X", expiresInSeconds: 551, usedBy: null },
  apps: [],
  packages: [],
  isReading: false,
  runs: [],
  finished: [],
  soundsFolder: {
    path: "~/Music/Ableton/User Library/Samples/Soundferry",
    isInLibrary: true,
    because: null,
    fixedBecause: null,
  },
  keptFiles: { bytes: 0, clearableBytes: 0 },
  canReveal: null,
  lan: null,
  live: null,
  pretends: null,
  diskTrouble: null,
};

/** No relay is set. */
export const FIRST_RUN: PanelState = {
  ...FRESH,
  connection: { ...FRESH.connection, relayUrl: null, status: "unset" },
  pairing: { code: null, expiresInSeconds: null, usedBy: null },
};

/** The relay is unreachable. */
export const OFFLINE: PanelState = {
  ...FRESH,
  connection: {
    ...FRESH.connection,
    status: "offline",
    trouble: "The relay at relay.example.com does not answer.",
  },
  pairing: { code: null, expiresInSeconds: null, usedBy: null },
};

/** Somebody guesses codes, and an app has claimed the right one. */
export const ASKED: PanelState = {
  ...FRESH,
  pairing: { ...FRESH.pairing, request: CANNED_REQUEST },
};

/** The relay may have moved: nobody has answered yet. */
export const MOVED: PanelState = {
  ...OFFLINE,
  connection: { ...OFFLINE.connection, movedFrom: "https://old.example.org" },
};

export const PAIRED: PanelState = {
  ...FRESH,
  apps: [
    cannedApp("pair_1", "Pocket Studio", 4),
    cannedApp("pair_2", "Spoon & Kettle", 190),
    cannedApp("pair_3", "Low Room", 60 * 24 * 9),
  ],
  keptFiles: { bytes: 48_300_000, clearableBytes: 2_100_000 },
};

/** Without the control surface, imports go to the preview. */
const PREVIEW = { ...FRESH.host, name: "preview", label: "Preview", settings: [] };
const THROUGH_SURFACE = { ...FRESH.host, label: "Live 12.1.5 Standard", settings: [] };

/** Every state of the panel that tests check; some have a picture. */
export async function readCannedScenes(): Promise<readonly CannedScene[]> {
  const kit = await readCannedPackage("one-shot-kit");
  const bus = await readCannedPackage("full-32", 1);
  const bass = await readCannedPackage("bass-lines", 2);
  const names = await readCannedPackage("names-in-eight-scripts");
  const broken = await readCannedPackage("local-with-broken-sounds");
  const all = [kit, bus, bass, names, broken];
  const scene = (name: string, state: PanelState): CannedScene => ({ name, state, packages: all });
  return [
    scene("first-run", FIRST_RUN),
    scene("pairing", FRESH),
    scene("offline", OFFLINE),
    { ...scene("moved", MOVED), click: "Answer" },
    scene("code-ends", {
      ...FRESH,
      pairing: { code: "K7MQ2X", expiresInSeconds: 42, usedBy: null },
    }),
    scene("pairing-asks", ASKED),
    { ...scene("paired", paired()), before: FRESH },
    {
      ...scene("pair-another", { ...PAIRED, packages: [bass.offered] }),
      click: "Pair another app",
    },
    {
      ...scene("live-setup", { ...PAIRED, host: PREVIEW, live: LIVE_UNSET }),
      click: "Set up Live",
    },
    {
      ...scene("live-waits", {
        ...PAIRED,
        host: PREVIEW,
        live: { ...LIVE_UNSET, script: "current" },
      }),
      click: "Set up Live",
    },
    {
      ...scene("live-ready", {
        ...PAIRED,
        host: THROUGH_SURFACE,
        live: LIVE_READY,
        packages: [kit.offered],
      }),
      click: "Settings",
    },
    { ...scene("settings", { ...PAIRED, packages: [kit.offered] }), click: "Settings" },
    scene("empty", PAIRED),
    scene("waiting", { ...PAIRED, packages: [bass.offered, kit.offered] }),
    scene("importing", importing(PAIRED, kit, bass)),
    { ...scene("partial", partial(PAIRED, bass, kit)), showResultOf: bass.offered.packageId },
    scene("dismissed", { ...PAIRED, packages: [bass.offered, dismissed(kit)] }),
    scene("many-packages", withMany(PAIRED, kit)),
    { ...scene("import-all", withMany(PAIRED, kit)), click: "Import all 12" },
    scene("importing-all", importingMany(PAIRED, kit)),
    scene("many-sounds", { ...PAIRED, packages: [bus.offered] }),
    scene("names", withNames(names)),
    scene("troubles", troubles(kit, bass, bus, broken)),
    scene("first-live", { ...FRESH, live: LIVE_UNSET }),
    ...lanScenes(FRESH, PAIRED),
    ...importScenes({ paired: PAIRED, kit, bass, bus }),
  ];
}

function paired(): PanelState {
  return {
    ...PAIRED,
    apps: [{ ...cannedApp("pair_4", "Breakyard", 0), isNew: true }],
    pairing: {
      code: null,
      expiresInSeconds: null,
      usedBy: { name: "Breakyard", pairingId: "pair_4" },
    },
  };
}

function dismissed({ offered }: CannedPackage): PanelUsablePackage {
  return { ...offered, isDismissed: true, canUndoDismiss: true };
}

function withNames(names: CannedPackage): PanelState {
  const long = "Ein Studio mit einem Namen, der kein Ende nimmt, im 3. Stock";
  return {
    ...PAIRED,
    deviceName: long,
    apps: [
      cannedApp("pair_5", "استوديو الليل 🎛️", 2),
      cannedApp("pair_6", "とても長い名前の音楽制作アプリケーション", 30),
    ],
    packages: [names.offered],
  };
}

function troubles(
  kit: CannedPackage,
  bass: CannedPackage,
  bus: CannedPackage,
  broken: CannedPackage,
): PanelState {
  return {
    ...PAIRED,
    connection: { ...PAIRED.connection, newBecause: "forgotten" },
    diskTrouble:
      "The disk with Soundferry is full. Free some space and import again; downloaded sounds are kept.",
    packages: [
      kit.offered,
      { ...bass.offered, isTaken: true },
      {
        packageId: "inbox/Old",
        title: "Old Takes",
        error: "manifest.json isn't valid JSON (line 12, column 5).",
      },
      { ...broken.offered, origin: "inbox", expiresInSeconds: null },
      { ...bus.offered, status: "expired", expiresInSeconds: 0 },
    ],
    finished: [
      finished(kit, 3, {
        error:
          "An earlier import of Kitchen Kit was interrupted. Done: make the scene Kitchen Kit. Delete what you don't want, then import again.",
        code: "ALREADY_PLACED",
      }),
      finished(bass, 4, {
        error: "Another import is running. Try again in 280 s.",
        code: "RUN_ELSEWHERE",
      }),
    ],
  };
}
